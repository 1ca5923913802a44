package struct MarkerAnswer: Hashable, Sendable {
  package var id: UInt32
  package var sequence: UInt64
  package var epoch: Epoch
  package var body: StateMessage.Body

  package init(id: UInt32, sequence: UInt64, epoch: Epoch, body: StateMessage.Body) {
    self.id = id
    self.sequence = sequence
    self.epoch = epoch
    self.body = body
  }
}
