import Simulation
import SimulationApps
import Machines

let args = CommandLine.arguments
let first = UInt64(args.count > 1 ? args[1] : "1")!
let count = UInt64(args.count > 2 ? args[2] : "1")!
let w: WindowPolicy = args.count > 3 ? (args[3] == "adaptive" ? .adaptive(bound: 1024) : .fixed(Int(args[3])!)) : .adaptive(bound: 1024)
var totals = SimulationTotals()
for seed in first..<(first + count) {
  var o = SimulationOptions(seed: seed, window: w)
  if args.contains("calm") { o.hasFaults = false }
  if args.contains("trace") { o.trace = { print($0) } }
  let r = Simulator(options: o, application: SimulatedTree()).run()
  if let f = r.failure { print("seed \(seed): \(f.prefix(1500))") }
  totals.add(r, seed: seed)
}
print(totals.means.map { "\($0.name) \($0.mean)" }.joined(separator: " "), "failures", totals.failures.count)
