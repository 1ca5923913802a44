import Penstock

/// A state of about 1 kB as JSON.
@JSONCodable
struct Kilobyte {
  var id = 4_711
  var title = "A list of things that want to be done before the week is over"
  var isPinned = true
  var rating = 4.25
  var tags = ["home", "garden", "weekend", "with others", "outside"]
  var counts = Array(0..<40)
  var notes = (0..<8).map { "Note \($0): not before the rain has stopped, and then at once" }
  var place: String? = "behind the house"
}
