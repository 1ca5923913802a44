"""Clients that send numbered actions and keep what they were told, and a server that takes time."""

import collections
import fcntl
import http.server
import json
import os
import subprocess
import threading
import time

from judging import check, within
from running_system import binary


class Client:
    """`penstock send --lines` with a log of its own: what it wrote there, it was told.

    Its n-th action is `action(n)`. Without `per_second` it sends as fast as `in_flight` allows.
    """

    def __init__(self, system, directory, name, path, action, per_second=None, in_flight=16,
                 limit=float("inf")):
        self.name, self.action, self.per_second, self.limit = name, action, per_second, limit
        self.log = os.path.join(directory, f"{name}.log")
        self.counts = collections.Counter()
        # So many actions were given to it, or about to be.
        self.offset = self.written = 0
        self.is_over = threading.Event()
        with open(self.log, "w") as log, open(self.log + ".errors", "w") as errors:
            self.process = subprocess.Popen(
                [binary("penstock"), "send", path, "-", "--lines", "--json", "--timeout", "120s",
                 "--in-flight", str(in_flight), "-S", system.run],
                stdin=subprocess.PIPE, stdout=log, stderr=errors)
        # A pipe's buffer would hold seconds of actions.
        fcntl.fcntl(self.process.stdin, fcntl.F_SETPIPE_SZ, 4096)
        self.writer = threading.Thread(target=self.write, daemon=True)
        self.writer.start()

    def write(self):
        start = time.monotonic()
        try:
            while not self.is_over.is_set() and self.written < self.limit:
                self.written += 1
                self.process.stdin.write(json.dumps(self.action(self.written)).encode() + b"\n")
                if self.per_second:
                    self.process.stdin.flush()
                    ahead = start + self.written / self.per_second - time.monotonic()
                    if ahead > 0:
                        self.is_over.wait(ahead)
                    else:
                        start -= ahead
            self.process.stdin.close()
        except BrokenPipeError:
            pass

    def read(self):
        """Counts what came since the last look, by status or, of what did not commit, by reason."""
        with open(self.log, "rb") as file:
            file.seek(self.offset)
            data = file.read()
        end = data.rfind(b"\n") + 1
        self.offset += end
        for line in data[:end].splitlines():
            outcome = json.loads(line)
            self.counts[outcome["status"] if outcome["status"] == "committed" else outcome["flag"]] += 1
        return self.counts

    @property
    def committed(self):
        return self.read()["committed"]

    def grows(self, number, seconds):
        start = self.committed
        return within(seconds, lambda: self.committed >= start + number)

    def rate(self, seconds):
        start, before = time.monotonic(), self.committed
        time.sleep(seconds)
        return (self.committed - before) / (time.monotonic() - start)

    def finish(self):
        """Ends when every action has its outcome."""
        self.is_over.set()
        # 1 and 6: some action was void, or refused.
        try:
            code = self.process.wait(150)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.writer.join()
        with open(self.log + ".errors") as errors:
            check(f"client {self.name} got an outcome for every action", code in (0, 1, 6),
                  f"code {code}: {errors.read()}")

    def outcomes(self):
        """What the log says: the numbers that were committed, and those that surely were not."""
        committed, failed = [], []
        with open(self.log) as file:
            for line in file:
                outcome = json.loads(line)
                (committed if outcome["status"] == "committed" else failed).append(outcome["line"])
        return committed, failed


class SlowServer(http.server.ThreadingHTTPServer):
    """Answers each request after 250 ms; all at a time if they come so."""
    request_queue_size = 256
    daemon_threads = True

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.requests += 1
            time.sleep(0.25)
            try:
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"ok")
            except ConnectionError:
                pass

        def log_message(self, *arguments):
            pass

    def __init__(self):
        super().__init__(("127.0.0.1", 0), self.Handler)
        self.requests = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"

    def handle_error(self, *arguments):
        pass


def adder(base):
    return lambda number: {"add": base + number}
