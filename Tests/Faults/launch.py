"""What is around the parts: arguments, executables, a user who is not root, and cleaning up."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import judging
from judging import check
from running_system import DEPLOY

PACKAGE = os.path.dirname(DEPLOY)


def build(products):
    return subprocess.run([os.path.join(DEPLOY, "build"), *products], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def start_as_user(bin_directory, products, arguments):
    """Copies what runs to where `nobody` can read it, and runs the script there."""
    binaries = os.path.realpath(bin_directory) if bin_directory else build(products)
    script = os.path.realpath(sys.argv[0])
    place = tempfile.mkdtemp(prefix="penstock-faults.", dir="/tmp")
    try:
        for name in ["bin", "lib", "home", "Deploy"]:
            os.mkdir(os.path.join(place, name))
        for product in products:
            shutil.copy(os.path.join(binaries, product), os.path.join(place, "bin"))
            # What is linked besides the system's libraries comes from the toolchain.
            linked = subprocess.run(["ldd", os.path.join(binaries, product)], text=True, check=True,
                                    stdout=subprocess.PIPE).stdout
            for line in linked.splitlines():
                library = line.partition("=>")[2].partition("(")[0].strip()
                if "/swift/" in library:
                    shutil.copy(library, os.path.join(place, "lib"))
        for file in [script, os.path.join(DEPLOY, "supervisor")]:
            shutil.copy(file, os.path.join(place, "Deploy"))
        for name in ["Tests/Faults", "Tests/Python", "Protocols/vectors"]:
            shutil.copytree(os.path.join(PACKAGE, name), os.path.join(place, name))
        subprocess.run(["chmod", "-R", "a+rX", place], check=True)
        environment = dict(
            os.environ, PENSTOCK_BIN=os.path.join(place, "bin"), HOME=os.path.join(place, "home"),
            LD_LIBRARY_PATH=os.path.join(place, "lib"))
        for name in ["XDG_RUNTIME_DIR", "PENSTOCK_SYSTEM"]:
            environment.pop(name, None)
        command = [sys.executable, "-B", os.path.join(place, "Deploy", os.path.basename(script)),
                   "--as-user", *arguments]
        user = {}
        if os.getuid() == 0:
            shutil.chown(os.path.join(place, "home"), "nobody")
            user = {"user": "nobody", "group": "nogroup", "extra_groups": []}
        process = subprocess.Popen(command, env=environment, **user)
        # Who starts systems is the one to stop them.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: process.send_signal(signal.SIGTERM))
        return process.wait()
    finally:
        shutil.rmtree(place)


def interrupted(*_):
    """Once is enough: what was started is stopped then."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    sys.exit(130)


def stop_systems(directory):
    """Every system that a part left running in its directory."""
    for name in os.listdir(directory):
        run = os.path.join(directory, name)
        if os.path.exists(os.path.join(run, "lock")):
            subprocess.run([os.path.join(DEPLOY, "supervisor"), "down", "-S", run],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run_part(name, part, options):
    directory = tempfile.mkdtemp(prefix="penstock-run.", dir="/tmp")
    try:
        part(directory, options)
    except Exception as error:
        where = error.__traceback__
        while where.tb_next:
            where = where.tb_next
        check(f"{name} went through", False, f"{type(error).__name__}: {error} in "
              f"{os.path.basename(where.tb_frame.f_code.co_filename)}:{where.tb_lineno}")
    finally:
        stop_systems(directory)
        if judging.failures and os.environ.get("KEEP"):
            print(f"# kept: {directory}", flush=True)
        else:
            shutil.rmtree(directory)


def main(document, products, parts, add_arguments=lambda parser: None):
    """`parts` are functions of a directory and the options, by name; a single one needs no name."""
    parser = argparse.ArgumentParser(
        usage=document.split("\n\n")[1].removeprefix("usage: "), description=document,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--bin", help="where the executables are; without it they are built")
    parser.add_argument("--as-user", action="store_true", help=argparse.SUPPRESS)
    if len(parts) > 1:
        parser.add_argument("parts", nargs="*")
    options = parser.parse_args()
    chosen = getattr(options, "parts", None) or list(parts)
    for name in chosen:
        if name not in parts:
            parser.error(f"unknown part {name}; there are {', '.join(parts)}")
    if not options.as_user:
        return start_as_user(options.bin, products, sys.argv[1:])
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, interrupted)
    check("the tests do not run as root", os.getuid() != 0)
    for name in chosen:
        run_part(name, parts[name], options)
    print(f"\n{judging.checks} checks, {judging.failures} failed")
    return 1 if judging.failures else 0
