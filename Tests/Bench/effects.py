"""Operations that do nothing: from the action that starts them to the committed result."""

import time

from running import until

WORKERS = [1, 2, 4]
IN_FLIGHT = 100


def measure(bench):
    rows = []
    for workers in WORKERS:
        with bench.system("pair", f"effects-{workers}", "--workers", str(workers), "--slots", "16") \
                as system:
            messages = int(2_000 * bench.options.seconds)
            start = time.monotonic()
            system.load("/left", '{"ask":{"_0":1,"milliseconds":0}}', messages, IN_FLIGHT)
            until(lambda: system.question("ps")["effects"] == 0
                  and system.question("state", "/left")["pending"] == 0)
            rate = messages / (time.monotonic() - start)
            answers = len(system.question("state", "/left")["answers"])
            if answers != messages:
                raise RuntimeError(f"{messages} operations began, {answers} ended")
            rows.append({"workers": workers, "perSecond": round(rate)})
            print(f"operations, {workers} worker{'s' if workers > 1 else ' '}, durable   "
                  f"{rate:>12,.0f} a second")
    return rows, []
