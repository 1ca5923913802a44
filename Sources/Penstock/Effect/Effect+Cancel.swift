internal import Synchronization

extension Effect {
  /// Cancels what this feature, or one below it, started under the id.
  public static func cancel(id: some Hashable & Sendable) -> Self {
    Effect([.cancel(CancelID(of: id))])
  }

  /// Lets operations and timers be cancelled by the id; several may share one.
  /// - Parameter cancelInFlight: whether what runs under the id is cancelled first.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Self {
    let id = CancelID(of: id)
    var steps = steps.map { step in
      switch step {
      case .operation(var operation):
        operation.cancelIDs.append(id)
        return Step.operation(operation)
      case .timer(var timer):
        timer.cancelIDs.append(id)
        return Step.timer(timer)
      case .send, .cancel: return step
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
    } else if let type = id as? any Any.Type {
      self.init(name: declaredName(of: type), value: "")
    } else {
      self.init(name: declaredName(of: ID.self), value: "\(id)")
    }
  }
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
