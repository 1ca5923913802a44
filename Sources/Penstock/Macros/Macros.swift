/// Makes a feature of a struct with `State`, `Action` and `body`: adds the conformance to `Reducer`,
/// `@ObservableState` to `State`, and `@CasePathable` to `Action`.
///
/// Of an enum whose cases hold features (`case edit(Edit)`, `case alert(AlertState<Alert>)`) it makes
/// a feature that is one of them at a time, for `ifLet` and `forEach` over a path.
@attached(extension, conformances: Reducer, CaseReducer)
@attached(memberAttribute)
@attached(member, names: named(State), named(Action), named(body))
public macro Reducer() = #externalMacro(module: "PenstockMacros", type: "ReducerMacro")

/// Makes a state of a struct or an enum: codable with a fixed order, equatable, sendable, with a
/// table of its stored fields.
@attached(
  extension,
  conformances: ObservableState, JSONCodable, CasePathable, Codable, Equatable, Sendable,
  names: named(encode), named(init), named(difference), named(apply), named(shape),
  named(fieldName), named(AllCasePaths), named(allCasePaths)
)
@attached(
  member, conformances: JSONCodable, CasePathable,
  names: named(encode), named(init), named(difference), named(apply), named(shape),
  named(AllCasePaths), named(allCasePaths), named(internalCases), named(childCases),
  named(bindingCases)
)
public macro ObservableState() =
  #externalMacro(module: "PenstockMacros", type: "ObservableStateMacro")

/// Gives an enum case paths and makes it codable with a fixed order, equatable and sendable.
@attached(
  extension, conformances: CasePathable, JSONCodable, Codable, Equatable, Sendable)
@attached(
  member, conformances: JSONCodable, CasePathable,
  names: named(encode), named(init), named(difference), named(apply), named(shape),
  named(AllCasePaths), named(allCasePaths), named(internalCases), named(childCases),
  named(bindingCases)
)
public macro CasePathable() = #externalMacro(module: "PenstockMacros", type: "CasePathableMacro")

/// Makes a plain struct or enum codable with a fixed order, equatable and sendable.
@attached(
  extension, conformances: JSONCodable, Codable, Equatable, Sendable,
  names: named(encode), named(init), named(difference), named(apply), named(shape)
)
@attached(
  member, conformances: JSONCodable,
  names: named(encode), named(init), named(difference), named(apply), named(shape)
)
public macro JSONCodable() = #externalMacro(module: "PenstockMacros", type: "JSONCodableMacro")

/// Marks a case of an `Action` that only the feature itself and its effects send.
///
/// A client that sends it is refused, as the code `internal-action`, and what a parent sends to it
/// comes to nothing with a diagnostic. A case that holds a child's actions hides that child whole.
///
/// ```swift
/// enum Action {
///   case refreshTapped
///   @Internal case response(Outcome<[Row]>)
/// }
/// ```
@attached(peer)
public macro Internal() = #externalMacro(module: "PenstockMacros", type: "InternalMacro")

/// Marks the state of a feature that is presented: `@Presents var destination: Destination.State?`.
///
/// A plain optional does as well; the mark says what the field is for and gives `\.$destination`.
@attached(peer, names: prefixed(`$`))
public macro Presents() = #externalMacro(module: "PenstockMacros", type: "PresentsMacro")

/// Makes an operation of a struct with `run`; its stored fields are the input. The wire name is the
/// type's name, or the given one, which survives a renaming of the type.
@attached(
  extension,
  conformances: Operation, StreamingOperation, JSONCodable, Codable, Equatable, Sendable,
  names: named(encode), named(init), named(difference), named(apply), named(shape),
  named(operationName)
)
public macro Operation(_ name: String? = nil) =
  #externalMacro(module: "PenstockMacros", type: "OperationMacro")
