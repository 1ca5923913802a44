import CSystem
import Glibc

/// A few numbers in a file that is mapped: they outlive the process, whatever kills it.
package struct ProgressPage: ~Copyable {
  private let page: UnsafeMutableRawPointer

  package init(path: String) throws(SystemError) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemError.last("can't open \(path)") }
    defer { close(file) }
    guard let page = penstock_map_page(file) else { throw SystemError.last("can't map \(path)") }
    self.page = page
  }

  deinit { munmap(page, sysconf(Int32(_SC_PAGESIZE))) }

  package subscript(index: Int) -> UInt64 {
    get { penstock_page_load(page, Int32(index)) }
    nonmutating set { penstock_page_store(page, Int32(index), newValue) }
  }
}
