#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Cresset Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs programs in ExecuTorch's own runtime and compares with the expected outputs.

  tools/peer_check.py PROGRAM.pte --cases FILE.safetensors
  tools/peer_check.py PROGRAM.pte... [--corpus DIR]    cases: DIR/<program's name>/io.safetensors, else
                                                       X.safetensors or io.safetensors beside X.pte
  --bench    also prints the CPU milliseconds of a call (one core, median) and planned arena bytes
  --ops      prints the operators that the peer's runtime has, and stops

The peer is the PyPI package executorch-numpy-runtime, kept in build/peer-venv; it needs Python 3.12
or newer, looked for on PATH and among pyenv's. Last line: `N passed, N failed`, with `, N skipped`
where the peer's interface cannot express a case (inputs that are not tensors, error cases).
Exit status: 0 none failed, 1 some failed, 77 no peer on this machine.
"""

import argparse
import glob
import json
import os
import shutil
import struct
import subprocess
import sys
import time

PACKAGE = "executorch-numpy-runtime==1.4.0"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, "build", "peer-venv")
NO_PEER = 77
PROGRAM_TIMEOUT_S = 300


# --- Finding a Python and the package; runs in any Python 3 with only its standard library. ---


def find_python():
    names = [f"python3.{minor}" for minor in range(12, 20)] + ["python3"]
    candidates = [shutil.which(n) for n in names]
    pyenv = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    candidates += sorted(glob.glob(os.path.join(pyenv, "versions", "*", "bin", "python3")))
    for python in filter(None, candidates):
        probe = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 12))"
        if subprocess.run([python, "-c", probe], stderr=subprocess.DEVNULL).returncode == 0:
            return python
    return None


def peer_python():
    """The Python of the venv that has the peer, made on first use; or (None, why not)."""
    python = os.path.join(VENV, "bin", "python")
    if os.path.exists(os.path.join(VENV, "ready")):
        return python, ""
    base = find_python()
    if base is None:
        return None, "no Python >= 3.12 on this machine"
    shutil.rmtree(VENV, ignore_errors=True)
    for command in ([base, "-m", "venv", VENV],
                    [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", PACKAGE]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            return None, f"{' '.join(command)} failed: {(done.stdout.splitlines() or [''])[-1]}"
    open(os.path.join(VENV, "ready"), "w").close()
    return python, ""


# --- Reading the two formats. ---


class Table:
    """A FlatBuffers table: just enough to read dim orders and arena sizes."""

    def __init__(self, data, pos):
        self.data, self.pos = data, pos
        self.vtable = pos - struct.unpack_from("<i", data, pos)[0]

    def field(self, slot):
        size = struct.unpack_from("<H", self.data, self.vtable)[0]
        if 4 + 2 * slot + 2 > size:
            return 0
        offset = struct.unpack_from("<H", self.data, self.vtable + 4 + 2 * slot)[0]
        return self.pos + offset if offset else 0

    def scalar(self, slot, fmt, default=0):
        at = self.field(slot)
        return struct.unpack_from("<" + fmt, self.data, at)[0] if at else default

    def follow(self, at):
        return at + struct.unpack_from("<I", self.data, at)[0]

    def table(self, slot):
        return Table(self.data, self.follow(self.field(slot)))

    def vector(self, slot, fmt):
        at = self.field(slot)
        if not at:
            return []
        start = self.follow(at)
        count = struct.unpack_from("<I", self.data, start)[0]
        return list(struct.unpack_from(f"<{count}{fmt}", self.data, start + 4))

    def tables(self, slot):
        at = self.field(slot)
        if not at:
            return []
        start = self.follow(at)
        count = struct.unpack_from("<I", self.data, start)[0]
        return [Table(self.data, self.follow(start + 4 + 4 * i)) for i in range(count)]

    def string(self, slot):
        start = self.follow(self.field(slot))
        count = struct.unpack_from("<I", self.data, start)[0]
        return self.data[start + 4:start + 4 + count].decode()


TENSOR_TYPE = 5  # in the union KernelTypes of schema/program.fbs


def read_program(path):
    """{method: {"inputs": [dim order or None], "outputs": [...], "arenas": [bytes]}}"""
    with open(path, "rb") as f:
        data = f.read()
    program = Table(data, struct.unpack_from("<I", data, 0)[0])
    methods = {}
    for plan in program.tables(1):
        values = plan.tables(2)

        def order(index):
            value = values[index]
            return value.table(1).vector(3, "B") if value.scalar(0, "B") == TENSOR_TYPE else None

        methods[plan.string(0)] = {
            "inputs": [order(i) for i in plan.vector(3, "i")],
            "outputs": [order(i) for i in plan.vector(4, "i")],
            "arenas": plan.vector(8, "q")[1:],  # entry 0 is reserved
        }
    return methods


def read_cases(path):
    import numpy as np

    kinds = {"BOOL": np.bool_, "U8": np.uint8, "I8": np.int8, "I16": np.int16, "I32": np.int32,
             "I64": np.int64, "F16": np.float16, "F32": np.float32, "F64": np.float64,
             "BF16": np.uint16, "U16": np.uint16, "U32": np.uint32, "U64": np.uint64}
    with open(path, "rb") as f:
        data = f.read()
    size = struct.unpack_from("<Q", data)[0]
    header = json.loads(data[8:8 + size])
    cases = json.loads(header.pop("__metadata__")["cases"])
    tensors, bf16 = {}, set()
    for key, entry in header.items():
        begin, end = entry["data_offsets"]
        raw = np.frombuffer(data[8 + size + begin:8 + size + end], dtype=kinds[entry["dtype"]])
        tensors[key] = raw.reshape(entry["shape"])
        if entry["dtype"] == "BF16":
            bf16.add(key)
    return cases, tensors, bf16


# --- Running and comparing; runs in the peer's Python, one process a program. ---


class Skip(Exception):
    pass


def to_memory(array, order):
    """The array whose row-major bytes are `array` laid out in `order`, in the logical shape: the
    peer takes bytes as they are and believes the program's dim order."""
    import numpy as np

    if not order or len(order) != array.ndim or order == sorted(order):
        return np.array(array, order="C")
    return np.array(array.transpose(order), order="C").reshape(array.shape)


def from_memory(array, order):
    import numpy as np

    if not order or len(order) != array.ndim or order == sorted(order):
        return array
    stored = array.reshape([array.shape[i] for i in order])
    return np.array(stored.transpose(np.argsort(order)), order="C")


def tensor_of(value, tensors):
    if not isinstance(value, dict) or "t" not in value:
        raise Skip("the peer takes tensors only")
    if value.get("complex"):
        raise Skip("the peer has no complex tensors")
    return tensors[value["t"]]


def widen(array, is_bf16):
    import numpy as np

    if is_bf16:
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64) if array.dtype.kind == "f" else array


def difference(got, want, is_bf16, rtol, atol):
    """None where equal within the tolerance, else what is wrong."""
    import numpy as np

    got = np.asarray(got)
    if got.shape != want.shape:
        return f"shape {list(got.shape)}, want {list(want.shape)}"
    if got.dtype != want.dtype:
        return f"dtype {got.dtype}, want {want.dtype}"
    if got.size == 0:
        return None
    a, b = widen(got, is_bf16), widen(want, is_bf16)
    if a.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            good = (np.abs(a - b) <= atol + rtol * np.abs(b)) | (a == b)
            good |= np.isnan(a) & np.isnan(b)
            error = np.where(good, 0, np.abs(a - b))
        worst = np.unravel_index(np.argmax(np.where(np.isnan(error), np.inf, error)), a.shape)
    else:
        good = a == b
        worst = np.unravel_index(np.argmax(~good), a.shape)
    if good.all():
        return None
    return (f"{np.count_nonzero(~good)} of {a.size} elements differ, worst at "
            f"{[int(i) for i in worst]}: got {a[worst]}, want {b[worst]}")


def run_case(runtime, case, tensors, bf16, plan):
    """Raises Skip; returns what is wrong, or None."""
    import numpy as np

    inputs = [to_memory(tensor_of(v, tensors), order)
              for v, order in zip(case["inputs"], plan["inputs"])]
    if len(inputs) != len(plan["inputs"]):
        return f"the program takes {len(plan['inputs'])} inputs, the case has {len(case['inputs'])}"
    outputs = runtime.run_method(case.get("method", "forward"), inputs)
    if len(outputs) != len(case["outputs"]):
        return f"{len(outputs)} outputs, want {len(case['outputs'])}"
    for i, (got, value) in enumerate(zip(outputs, case["outputs"])):
        if isinstance(value, dict) and "t" in value:
            want = tensor_of(value, tensors)
            if case.get("random"):
                wrong = None if np.asarray(got).shape == want.shape else "another shape"
            else:
                got = from_memory(np.asarray(got), plan["outputs"][i])
                wrong = difference(got, want, value["t"] in bf16, case["rtol"], case["atol"])
        elif isinstance(value, (bool, int, float)):
            wrong = None if np.allclose(np.asarray(got), value) else f"got {got}, want {value}"
        else:
            raise Skip("an output that is not a tensor")
        if wrong:
            return f"output {i}: {wrong}"
    return None


def bench(runtime, case, tensors, plan):
    """Median CPU milliseconds of one call on one core."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    inputs = [to_memory(tensor_of(v, tensors), order)
              for v, order in zip(case["inputs"], plan["inputs"])]
    method = case.get("method", "forward")
    for _ in range(2):
        runtime.run_method(method, inputs)
    times, begin = [], time.monotonic()
    while len(times) < 5 or (len(times) < 200 and time.monotonic() - begin < 2):
        start = time.process_time()
        runtime.run_method(method, inputs)
        times.append(time.process_time() - start)
    return 1000 * sorted(times)[len(times) // 2]


def worker(path, cases_path, with_bench):
    import executorch_numpy_runtime as peer

    name = os.path.splitext(path)[0]
    name = os.path.basename(os.path.dirname(path)) if name.endswith("/model") else \
        os.path.basename(name)
    passed = failed = skipped = 0
    cases, tensors, bf16 = read_cases(cases_path)
    plans = read_program(path)
    runtime = peer.Runtime.get().load_program(path)._rt
    timed = None
    problems = {}  # what is wrong -> the cases
    for i, case in enumerate(cases):
        method = case.get("method", "forward")
        try:
            if method not in plans:
                wrong = f"the program has no method {method}"
            elif case.get("error"):
                raise Skip("the case must be refused")
            else:
                wrong = run_case(runtime, case, tensors, bf16, plans[method])
        except Skip:
            skipped += 1
            continue
        except Exception as error:  # the peer raises several kinds
            wrong = f"the peer says: {error}"
        if wrong:
            failed += 1
            problems.setdefault(wrong, []).append(i)
        else:
            passed += 1
            timed = timed or case
    for wrong, indices in problems.items():
        which = f"case {indices[0]}" if len(indices) == 1 else f"{len(indices)} cases"
        print(f"{name}: {which}: {wrong}")
    if with_bench and timed:
        plan = plans[timed.get("method", "forward")]
        print(f"{name}: peer_ms={bench(runtime, timed, tensors, plan):.4g} "
              f"arena={sum(plan['arenas'])}")
    print(json.dumps([passed, failed, skipped]))


# --- The command. ---


def find_cases(path, options):
    if options.cases:
        return options.cases
    stem = os.path.splitext(path)[0]
    candidates = [stem + ".safetensors", os.path.join(os.path.dirname(path), "io.safetensors")]
    if options.corpus:
        name = os.path.basename(stem)
        candidates.insert(0, os.path.join(options.corpus, name, "io.safetensors"))
    return next((c for c in candidates if os.path.exists(c)), None)


def reason(stderr, code):
    """The peer logs its reasons on standard error, as lines that begin with E."""
    errors = [line.split("] ", 1)[-1] for line in stderr.splitlines()
              if line.startswith("E ") and "is not Tensor" not in line]
    rest = [line for line in stderr.splitlines() if line.strip() and not line.startswith("I ")]
    return errors[0] if errors else rest[-1] if rest else f"it ended with status {code}"


def check(python, path, options):
    cases = find_cases(path, options)
    if cases is None:
        return 0, 1, 0, [f"{path}: no case file"]
    command = [python, os.path.abspath(__file__), "--worker", path, "--cases", cases]
    if options.bench:
        command.append("--bench")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PROGRAM_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return 0, 1, 0, [f"{path}: no result after {PROGRAM_TIMEOUT_S} s"]
    lines = done.stdout.splitlines()
    if done.returncode != 0 or not lines:
        return 0, 1, 0, lines + [f"{path}: {reason(done.stderr, done.returncode)}"]
    passed, failed, skipped = json.loads(lines.pop())
    if any("the peer says" in line for line in lines):
        lines.append(f"  its log: {reason(done.stderr, 0)}")
    return passed, failed, skipped, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM.pte")
    parser.add_argument("--cases", metavar="FILE")
    parser.add_argument("--corpus", metavar="DIR")
    parser.add_argument("--bench", action="store_true")
    parser.add_argument("--ops", action="store_true")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(options.programs[0], options.cases, options.bench)
        return 0
    python, why = peer_python()
    if python is None:
        print(f"peer_check: {why}; not run")
        return NO_PEER
    if options.ops:
        code = "import executorch_numpy_runtime as e; " \
               "print(*sorted(e.runtime_info()['operators']), sep='\\n')"
        return subprocess.run([python, "-c", code]).returncode
    if not options.programs:
        parser.error("no program given")
    total = [0, 0, 0]
    for path in options.programs:
        *counts, lines = check(python, path, options)
        total = [a + b for a, b in zip(total, counts)]
        for line in lines:
            print(line)
        sys.stdout.flush()
    skipped = f", {total[2]} skipped" if total[2] else ""
    print(f"{total[0]} passed, {total[1]} failed{skipped}")
    return 1 if total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
