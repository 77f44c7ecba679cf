"""A machine that misbehaves, real to the processes on it: `faults.c`, loaded before the C library."""

import ctypes
import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

NEVER = 1 << 40
COMPILER = shutil.which("cc") or shutil.which("gcc")
needs_faults = pytest.mark.skipif(
    COMPILER is None or not sys.platform.startswith("linux"), reason="needs a C compiler and LD_PRELOAD"
)


def build_faults(folder):
    """The library."""
    path, source = folder / "faults.so", Path(__file__).with_name("faults.c")
    plain = ["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=0"]  # with it some functions have other names
    subprocess.run([COMPILER, "-shared", "-fPIC", "-O1", *plain, "-o", path, source, "-ldl"], check=True)
    return path


def faulty_environment(library, **variables):
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LD_PRELOAD": str(library), **variables}


@contextmanager
def faulty_commands(library, warm_up):
    """A function that does a command line on a machine that dies, or whose disk is full, at a given moment.

    It takes the words, the fault (`deadline` or `room`), after how many changes of files, and in which folder;
    and returns the exit status, negative after a signal, standard output and standard error, and where it did not die
    how many changes there were. Commands are children of one process that has imported all that the command `warm_up`
    needs, so that they are quick.
    """
    environment = faulty_environment(library)
    with subprocess.Popen(
        [sys.executable, __file__, *warm_up], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:

        def call(words, fault="deadline", after=NEVER, folder=""):
            process.stdin.write(json.dumps([words, fault, after, str(folder)]) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield call
        process.stdin.close()


def serve(warm_up):
    """Do what is asked for, a line each, in children."""
    import tempfile

    from nashgap.cli.main import main

    library = ctypes.CDLL(os.environ["LD_PRELOAD"])
    answers = os.fdopen(os.dup(1), "w")
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    assert main(warm_up) == 0
    for line in sys.stdin:
        words, fault, after, folder = json.loads(line)
        file = partial(tempfile.TemporaryFile, "w+")
        with file() as output, file() as errors, file() as changes:
            child = os.fork()
            if child == 0:
                os.dup2(output.fileno(), 1)
                os.dup2(errors.fileno(), 2)
                ctypes.memmove(library.nashgap_test_folder, os.fsencode(folder), len(os.fsencode(folder)))
                left = ctypes.c_long.in_dll(library, f"nashgap_test_{fault}")
                left.value = after
                status = 1
                try:
                    status = main(words)
                finally:
                    sys.stdout.flush()
                    sys.stderr.flush()
                    print(after - left.value, file=changes, flush=True)
                    os._exit(status)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            told = []
            for written in (output, errors, changes):
                written.seek(0)
                told.append(written.read())
        answers.write(json.dumps([status, told[0], told[1], int(told[2] or 0)]) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve(sys.argv[1:])
