"""A peer's side of a link, written from Protocols/1-FRAME.md. No socket and no clock: frames and
times come in as arguments, frames and events go out."""

import secrets

import penstock_codec as codec

START, RESET, REJECT, GAP = 1, 2, 4, 8
FIRST_CREDIT = 64
WINDOW = 1024
BATCH_MESSAGES, BATCH_BYTES = 256, 256 << 10
RESEND, LONGEST_RESEND, ACKNOWLEDGE, HEARTBEAT = 0.25, 1.0, 0.01, 0.25


class Link:
    """Events are `("message", message)`, `("restarted", None)`: say hello and send again what
    matters, and `("refused", refusal)`: nothing more is sent."""

    def __init__(self, now):
        self.process = (secrets.randbits(40) or 1) << 24
        self.links = 0
        self.is_over = False
        self.dropped = 0
        self.begin(now)

    def begin(self, now):
        self.incarnation = self.process | self.links
        self.router = 0
        # What is sent: `outbox[0]` has the sequence `base`, `next` was never sent.
        self.outbox, self.base, self.next, self.credit = [], 1, 1, FIRST_CREDIT
        self.resend_after, self.resend_due, self.gap_answered = RESEND, None, 0
        # What is received.
        self.received, self.ahead = 0, {}
        self.acknowledged, self.granted, self.acknowledge_due = 0, FIRST_CREDIT, None
        self.last_sent = now - HEARTBEAT

    def enqueue(self, message):
        self.outbox.append(codec.encode_message(message))

    # Receiving

    def receive(self, frame, now):
        if self.is_over:
            return []
        try:
            header, _ = codec.decode_header(frame)
        except codec.WireError:
            self.dropped += 1
            return []
        if header["receiver"] != self.incarnation:
            self.dropped += 1
            return []
        try:
            header, messages = codec.decode(frame)
            if header["flags"] & REJECT:
                self.is_over = True
                return [("refused", messages[0]["body"])]
            if header["flags"] & RESET or self.router not in (0, header["sender"]):
                self.links += 1
                self.begin(now)
                return [("restarted", None)]
            self.router = header["sender"]
            return self.take(header, messages, now)
        except codec.WireError as error:
            self.is_over = True
            return [("refused", {"code": 1, "message": str(error)})]

    def take(self, header, messages, now):
        if header["acknowledged"] >= self.next:
            raise codec.malformed("acknowledged what was never sent")
        if header["acknowledged"] >= self.base:
            del self.outbox[:header["acknowledged"] + 1 - self.base]
            self.base = header["acknowledged"] + 1
            self.resend_after = RESEND
            self.resend_due = now + RESEND if self.base < self.next else None
        self.credit = max(self.credit, header["credit"])
        if header["flags"] & GAP and self.gap_answered < self.base < self.next:
            self.gap_answered, self.resend_due = self.base, now
        if not messages:
            return []
        first = header["first"]
        if first == 0 or first + len(messages) - 1 > self.granted:
            raise codec.malformed("beyond the credit")
        events, is_new = [], False
        for sequence, message in enumerate(messages, first):
            if sequence > self.received and sequence not in self.ahead:
                self.ahead[sequence] = message
                is_new = True
        while self.received + 1 in self.ahead:
            self.received += 1
            events.append(("message", self.ahead.pop(self.received)))
        is_due = not is_new or self.received - self.acknowledged >= WINDOW // 4
        due = now if is_due else now + ACKNOWLEDGE
        self.acknowledge_due = min(due, self.acknowledge_due or due)
        return events

    # Sending

    def poll(self, now):
        """Frames to send now."""
        frames = []
        if self.is_over:
            return frames
        if self.resend_due is not None and self.resend_due <= now:
            # One frame: what it brings shows whether more is missing.
            frames.append(self.frame(self.base, self.batch(self.base, self.next), now))
            self.resend_after = min(self.resend_after * 2, LONGEST_RESEND)
            self.resend_due = now + self.resend_after
        while True:
            end = self.batch(self.next, min(self.base + len(self.outbox), self.credit + 1))
            if end == self.next:
                break
            frames.append(self.frame(self.next, end, now))
            self.next = end
            if self.resend_due is None:
                self.resend_due = now + self.resend_after
        is_due = self.acknowledge_due is not None and self.acknowledge_due <= now
        if not frames and (is_due or now - self.last_sent >= HEARTBEAT):
            frames.append(self.frame(self.next, self.next, now))
        return frames

    def batch(self, first, end):
        size = 0
        for sequence in range(first, min(end, first + BATCH_MESSAGES)):
            size += len(self.outbox[sequence - self.base])
            if size > BATCH_BYTES and sequence > first:
                return sequence
        return max(first, min(end, first + BATCH_MESSAGES))

    def frame(self, first, end, now):
        self.granted = max(self.granted, self.received + WINDOW)
        self.acknowledged, self.acknowledge_due, self.last_sent = self.received, None, now
        flags = (START if self.router == 0 else 0) | (GAP if self.ahead else 0)
        header = {
            "flags": flags, "sender": self.incarnation, "receiver": self.router, "first": first,
            "acknowledged": self.received, "credit": self.granted}
        return codec.join(header, self.outbox[first - self.base:end - self.base])

    def next_deadline(self):
        """When `poll` has something to do if nothing comes before."""
        times = [self.last_sent + HEARTBEAT, self.resend_due, self.acknowledge_due]
        return min(time for time in times if time is not None)
