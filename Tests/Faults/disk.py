"""The switches of disk.c."""

import mmap
import os
import shutil
import struct
import subprocess


class Disk:
    def __init__(self, directory):
        library, control = (os.path.join(directory, name) for name in ["disk.so", "disk"])
        source = os.path.join(os.path.dirname(os.path.realpath(__file__)), "disk.c")
        compiler = shutil.which("cc") or "clang"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
        with open(control, "w+b") as file:
            file.truncate(4096)
            self.page = mmap.mmap(file.fileno(), 4096)
        self.environment = {"LD_PRELOAD": library, "PENSTOCK_DISK": control}

    def set(self, delay=0, is_full=False, failing_syncs=0):
        self.page[:12] = struct.pack("<III", delay, is_full, failing_syncs)

    @property
    def failing_syncs(self):
        return struct.unpack_from("<I", self.page, 8)[0]
