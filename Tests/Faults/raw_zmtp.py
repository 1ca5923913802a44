"""Connections below ZeroMQ: bytes on the Unix socket, as ZMTP 3.0 has them or not."""

import socket

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)


def ready(socket_type):
    def item(name, value):
        return bytes([len(name)]) + name + len(value).to_bytes(4, "big") + value
    body = b"\x05READY" + item(b"Socket-Type", socket_type) + item(b"Identity", b"")
    return bytes([4, len(body)]) + body


def part(data, has_more=False):
    if len(data) < 256:
        return bytes([1 if has_more else 0, len(data)]) + data
    return bytes([3 if has_more else 2]) + len(data).to_bytes(8, "big") + data


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(5)
        self.socket.connect(path)

    def send(self, data):
        """Whether the other side took it."""
        try:
            self.socket.sendall(data)
            return True
        except OSError:
            return False

    def shake_hands(self, socket_type):
        self.send(GREETING + ready(socket_type))
        came = b""
        while len(came) < len(GREETING) + 2 or len(came) < len(GREETING) + 2 + came[65]:
            data = self.socket.recv(4096)
            if not data:
                raise ConnectionError("no handshake")
            came += data

    def close(self):
        self.socket.close()


def garbage(path, generator, socket_type):
    """Opens a connection and sends what can never become a message; gives it back, still open."""
    connection = Connection(path)
    kind = generator.randrange(7)
    handshake = GREETING + ready(socket_type)
    if kind == 0:
        connection.send(generator.randbytes(generator.randrange(1, 300)))
    elif kind == 1:
        connection.send(handshake[:generator.randrange(len(handshake))])
    elif kind == 2:
        # Another signature, version or mechanism; and no message behind it.
        data = bytearray(handshake)
        for _ in range(3):
            data[generator.randrange(len(data))] = generator.randrange(256)
        connection.send(bytes(data))
    elif kind == 3:
        connection.send(GREETING + generator.randbytes(generator.randrange(1, 300)))
    elif kind == 4:
        # A length beyond every limit.
        size = generator.randrange(1 << 26, 1 << 63)
        connection.send(handshake + b"\2" + size.to_bytes(8, "big") + generator.randbytes(100))
    elif kind == 5:
        connection.send(handshake + part(generator.randbytes(2000))[:-1])
    else:
        connection.send(GREETING + ready(generator.choice([b"SUB", b"PUSH", b"NONSENSE", b""])))
    return connection
