"""A worker that serves the Counter example's operation NumberFact.

usage: number_worker.py ENDPOINT NAME LOG [SECONDS]

Numbers that end with 7 take until they are cancelled, 13 has no fact. LOG gets a line for each attempt
and for each that was stopped. SIGTERM drains; after SECONDS what still runs is handed back.
"""
import signal
import sys

import penstock_peer


def fact(number):
    return f"{number} is {number:b} in binary"


def make_operation(log):
    def number_fact(value, stop):
        number = value["number"]
        print("run", number, file=log, flush=True)
        if number == 13:
            raise penstock_peer.OperationFailed("no-fact", "nobody knows about 13")
        if number % 10 == 7:
            is_stopped = stop.wait(60)
            print("stopped" if is_stopped else "forgotten", number, file=log, flush=True)
        return fact(number)
    return number_fact


def main(endpoint, name, log, seconds="5"):
    signals = []
    signal.signal(signal.SIGTERM, lambda *_: signals.append(1))
    with open(log, "a") as file:
        worker = penstock_peer.connect_worker(
            endpoint, {"NumberFact": make_operation(file)}, name=name)
        while not signals:
            worker.turn(0.1)
        worker.drain(float(seconds))


if __name__ == "__main__":
    main(*sys.argv[1:])
