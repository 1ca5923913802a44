package import Simulation

/// The applications that can be simulated, by name.
package enum SimulatedApplications {
  package static let names = ["tree", "uptime"]

  package static func named(_ name: String) -> (any SimulatedApplication)? {
    switch name {
    case "tree": SimulatedTree()
    case "uptime": SimulatedUptime()
    default: nil
    }
  }
}
