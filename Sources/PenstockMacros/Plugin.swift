@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The plug-in that the compiler starts to expand Penstock's macros.
@main
struct Plugin: PluginProvider {
  static func main() throws {
    let listener = CompilerPluginMessageListener(
      connection: try StandardIOMessageConnection(), provider: Plugin())
    try listener.main()
  }

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    switch typeName {
    case "ReducerMacro": ReducerMacro.self
    case "ObservableStateMacro": ObservableStateMacro.self
    case "CasePathableMacro": CasePathableMacro.self
    case "JSONCodableMacro": JSONCodableMacro.self
    case "OperationMacro": OperationMacro.self
    case "PresentsMacro": PresentsMacro.self
    case "InternalMacro": InternalMacro.self
    default: throw UnknownMacroError(name: typeName)
    }
  }

  func loadPluginLibrary(libraryPath: String, moduleName: String) throws {
    throw UnknownMacroError(name: moduleName)
  }

  var features: [PluginFeature] { [] }
}

struct UnknownMacroError: Error, CustomStringConvertible {
  var name: String
  var description: String { "Penstock has no macro \(name)" }
}
