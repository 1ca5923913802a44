extension Reducer {
  /// Runs a feature for each element of a collection.
  ///
  /// An action of an element that is not there reaches the parent's own logic only.
  public func forEach<ElementState: Identifiable & JSONCodable, ElementAction>(
    _ state: any WritableKeyPath<State, IdentifiedArrayOf<ElementState>> & Sendable,
    action: CaseKeyPath<Action, IdentifiedAction<ElementState.ID, ElementAction>>,
    @ReducerBuilder<ElementState, ElementAction> element:
      @escaping @Sendable () -> ComposedReducer<
        ElementState, ElementAction
      >
  ) -> ComposedReducer<State, Action> where ElementState.ID: CanonicalID {
    mounting(
      CollectionMount(
        keyPath: state, member: fieldName(of: state),
        action: Action.allCasePaths[keyPath: action], child: ChildLevel(element)))
  }
}
