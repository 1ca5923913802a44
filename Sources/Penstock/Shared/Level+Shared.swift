extension Level {
  /// Adds what the levels on the way to a record read, those of other processes left out.
  func collectReads(
    below path: ArraySlice<String>, _ placement: Placement?, into reads: inout [SharedRead]
  ) {
    guard hasReads else { return }
    for function in logic {
      for read in function.reads where !reads.contains(where: { $0.name == read.name }) {
        reads.append(read)
      }
    }
    guard let name = path.first, let mount = mount(name) else { return }
    let placement = placement?.children[name]
    if placement?.isPlaced == true { return }
    mount.collectReads(below: path.dropFirst(), placement, into: &reads)
  }

  /// The value in this level's state; nil when the owner is not there.
  func sharedValue(
    _ read: SharedRead, below path: ArraySlice<String>, in state: State
  ) -> (any Sendable)? {
    guard let name = path.first else { return read.extract(state) }
    return mount(name)?.sharedValue(read, below: path.dropFirst(), in: state)
  }

  /// Whether the owner's state is of the type that the readers' declaration says.
  func owns(_ read: SharedRead, below path: ArraySlice<String>) -> Bool {
    guard let name = path.first else { return ObjectIdentifier(State.self) == read.owner }
    return mount(name)?.owns(read, below: path.dropFirst()) ?? false
  }

  /// Everything that is read here and below.
  func listReads(into reads: inout [SharedName: SharedRead]) {
    guard hasReads else { return }
    for function in logic {
      for read in function.reads { reads[read.name] = read }
    }
    for mount in mounts { mount.listReads(into: &reads) }
  }
}

extension SingleMount {
  package func collectReads(
    below path: ArraySlice<String>, _ placement: Placement?, into reads: inout [SharedRead]
  ) { child.collectReads(below: path, placement, into: &reads) }

  package func sharedValue(
    _ read: SharedRead, below path: ArraySlice<String>, in parent: Access.Parent
  ) -> (any Sendable)? {
    access.read(parent).flatMap { child.sharedValue(read, below: path, in: $0) }
  }

  package func owns(_ read: SharedRead, below path: ArraySlice<String>) -> Bool {
    child.owns(read, below: path)
  }

  package func listReads(into reads: inout [SharedName: SharedRead]) {
    if !isRepeated { child.listReads(into: &reads) }
  }
}

/// An element may read, but own nothing that is shared: it is not always there.
extension CollectionMount {
  package func collectReads(
    below path: ArraySlice<String>, _ placement: Placement?, into reads: inout [SharedRead]
  ) { child.collectReads(below: path.dropFirst(), nil, into: &reads) }

  package func sharedValue(
    _ read: SharedRead, below path: ArraySlice<String>, in parent: ParentState
  ) -> (any Sendable)? { nil }

  package func owns(_ read: SharedRead, below path: ArraySlice<String>) -> Bool { false }

  package func listReads(into reads: inout [SharedName: SharedRead]) {
    if !isRepeated { child.listReads(into: &reads) }
  }
}
