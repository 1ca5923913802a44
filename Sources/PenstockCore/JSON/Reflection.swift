/// Collections show their elements when they are printed, not how they keep them.
extension OrderedDictionary: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self, unlabeledChildren: zip(keys, values).map { (key: $0, value: $1) },
      displayStyle: .dictionary)
  }
}

extension OrderedSet: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(self), displayStyle: .set)
  }
}

extension IdentifiedArray: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}
