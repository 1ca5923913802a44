internal import Synchronization

extension Effect {
  /// Cancels what this feature, or one below it, started under the id.
  public static func cancel(id: some Hashable & Sendable) -> Self {
    Effect([.cancel(CancelID(of: id))])
  }

  /// Cancels what was started under the type as an id.
  public static func cancel(id type: any Any.Type) -> Self {
    Effect([.cancel(CancelID(of: type))])
  }

  /// Lets operations and timers be cancelled by a type: other types are other ids.
  public func cancellable(id type: any Any.Type, cancelInFlight: Bool = false) -> Self {
    cancellable(CancelID(of: type), cancelInFlight)
  }

  /// Lets operations and timers be cancelled by the id; several may share one.
  /// - Parameters:
  ///   - id: any value; equal values of one type are one id.
  ///   - cancelInFlight: whether what runs under the id is cancelled first.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Self {
    cancellable(CancelID(of: id), cancelInFlight)
  }

  func cancellable(_ id: CancelID, _ cancelInFlight: Bool) -> Self {
    var steps = steps.map { step in
      switch step {
      case .operation(var operation):
        operation.cancelIDs.append(id)
        return Step.operation(operation)
      case .timer(var timer):
        timer.cancelIDs.append(id)
        return Step.timer(timer)
      case .deferred(var deferred):
        deferred.cancelIDs.append(id)
        deferred.effect = deferred.effect.cancellable(id, false)
        return .deferred(deferred)
      case .send, .cancel, .dismiss, .diagnostic: return step
      }
    }
    if cancelInFlight { steps.insert(.cancel(id), at: 0) }
    return Effect(steps)
  }
}

extension CancelID {
  /// (name of the id's type without its module, text of the value).
  init<ID: Hashable & Sendable>(of id: ID) {
    if let id = id as? String {
      self.init(name: "String", value: id)
    } else if let id = id as? any CanonicalID {
      self.init(name: declaredName(of: ID.self), value: id.canonicalText)
    } else {
      self.init(name: declaredName(of: ID.self), value: "\(id)")
    }
  }

  init(of type: any Any.Type) { self.init(name: declaredName(of: type), value: "") }
}

/// A type's name with the types around it and without its module.
package func declaredName(of type: Any.Type) -> String {
  declaredNames.withLock { names in
    if let name = names[ObjectIdentifier(type)] { return name }
    let parts = String(reflecting: type).split(separator: ".").dropFirst()
    // What is private has its discriminator in the name, and that differs between builds.
    let name = parts.filter { !$0.hasPrefix("(unknown context") }.joined(separator: ".")
    names[ObjectIdentifier(type)] = name
    return name
  }
}

private let declaredNames = Mutex<[ObjectIdentifier: String]>([:])
