#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Cresset Authors
# SPDX-License-Identifier: Apache-2.0
"""Times operators against PyTorch's eager ones: the same large calls, one thread each.

  PYTHON tools/kernel_speed.py [--op PATTERN] [--dtype NAME] [--elements N] [--table FILE]

PYTHON is one that has PyTorch. The calls are those of the corpus with their tensors repeated along
some dimensions until the largest has N elements; build/conformance runs them, so that results are
compared too. PyTorch's views are timed with a copy of the result, which is what a kernel does.
Prints one line an operator, that of its slowest call by ratio, worst first. Times are processor
time, the least of several calls.
"""

import argparse
import ctypes
import fnmatch
import json
import os
import resource
import struct
import subprocess
import sys
import tempfile
import time

import torch

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DTYPES = {"BOOL": torch.bool, "U8": torch.uint8, "I8": torch.int8, "I16": torch.int16,
          "I32": torch.int32, "I64": torch.int64, "F16": torch.float16, "BF16": torch.bfloat16,
          "F32": torch.float32, "F64": torch.float64}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
COMPLEX = {torch.complex32, torch.complex64, torch.complex128}
MAX_CALLS = 3  # of different arguments, an operator
MAX_GROWTH = 16  # results as multiples of the largest argument
WORTH_TIMING_US = 30  # what PyTorch does faster than this measures its overhead
LAPS = 3
MAX_ADDRESSES = 12 << 30  # bytes; a call that grows without bound fails
# Memory that the evaluator frees stays with the process: no page faults in the laps.
REUSED_MEMORY = dict(os.environ, MALLOC_MMAP_THRESHOLD_=str(1 << 30),
                     MALLOC_TRIM_THRESHOLD_=str(1 << 40))


class Unfit(Exception):
    """The call cannot be made large."""


# --- The cases of the corpus. ---


def read_cases(path):
    """[(args, kwargs)] without the refused ones; tensors are torch's."""
    with open(path, "rb") as f:
        data = f.read()
    length = struct.unpack_from("<Q", data)[0]
    header = json.loads(data[8:8 + length])
    body = memoryview(data)[8 + length:]

    def value(v):
        if isinstance(v, list):
            return [value(item) for item in v]
        if not isinstance(v, dict):
            return v
        if "t" in v:
            entry = header[v["t"]]
            begin, end = entry["data_offsets"]
            dtype = DTYPES[entry["dtype"]]
            if begin == end or v.get("dim_order"):
                raise Unfit
            tensor = torch.frombuffer(bytearray(body[begin:end]), dtype=dtype)
            tensor = tensor.reshape(entry["shape"])
            return torch.view_as_complex(tensor) if v.get("complex") else tensor
        (kind, what), = v.items()
        return {"f": float, "s": str, "c": lambda c: complex(*c),
                "dtype": lambda d: getattr(torch, d),
                "memory_format": lambda m: getattr(torch, m)}[kind](what)

    cases = []
    for case in json.loads(header["__metadata__"]["cases"]):
        if not case.get("error"):
            try:
                cases.append((value(case["args"]),
                              {k: value(v) for k, v in case["kwargs"].items()}))
            except Unfit:
                pass
    return cases


def write_case(path, args, kwargs, outs):
    tensors, chunks, offset = {}, [], 0

    def value(v):
        nonlocal offset
        if isinstance(v, (list, tuple)):
            return [value(item) for item in v]
        if isinstance(v, torch.Tensor):
            note = {"complex": True} if v.dtype in COMPLEX else {}
            dense = v.resolve_conj().resolve_neg()
            dense = (torch.view_as_real(dense) if note else dense).contiguous()
            key, size = f"t{len(tensors)}", dense.numel() * dense.element_size()
            tensors[key] = {"dtype": NAMES[dense.dtype], "shape": list(dense.shape),
                            "data_offsets": [offset, offset + size]}
            chunks.append(ctypes.string_at(dense.data_ptr(), size) if size else b"")
            offset += size
            return {"t": key, **note}
        if isinstance(v, float) and (v != v or v in (float("inf"), float("-inf"))):
            return {"f": str(v)}
        if isinstance(v, complex):
            return {"c": [v.real, v.imag]}
        if isinstance(v, str):
            return {"s": v}
        if isinstance(v, torch.dtype):
            return {"dtype": str(v).split(".")[1]}
        if isinstance(v, torch.memory_format):
            return {"memory_format": str(v).split(".")[1]}
        return v

    # Repeated signals cancel out: sums that are zero are judged by the size of the others.
    largest = max([t.detach().abs().double().nan_to_num(0, 0, 0).max().item()
                   for t in tensors_of([outs]) if t.numel()], default=0)
    case = {"args": value(args), "kwargs": {k: value(v) for k, v in kwargs.items()},
            "outs": value(outs), "rtol": 1e-3, "atol": max(1e-3, 1e-6 * largest)}
    header = json.dumps({"__metadata__": {"cases": json.dumps([case])}, **tensors}).encode()
    header += b" " * (-len(header) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(header)) + header)
        f.writelines(chunks)


# --- Making a call large. ---


def leaves(v):
    if isinstance(v, (list, tuple)):
        for item in v:
            yield from leaves(item)
    elif isinstance(v, dict):
        yield from leaves(list(v.values()))
    else:
        yield v


def tensors_of(v):
    return [leaf for leaf in leaves(v) if isinstance(leaf, torch.Tensor)]


def repeated(tensor, sizes, factor):
    for dim, size in enumerate(tensor.shape):
        if size in sizes:
            # What ascends (offsets, boundaries) must go on to: other calls have no defined result.
            ascends = size > 1 and tensor.dtype not in COMPLEX and \
                bool((tensor.narrow(dim, 1, size - 1) >= tensor.narrow(dim, 0, size - 1)).all())
            tensor = (tensor.repeat_interleave(factor, dim) if ascends else
                      tensor.repeat([factor if d == dim else 1 for d in range(tensor.dim())]))
    return tensor


def grown(v, sizes, factor, numbers, depth=0):
    """The value with every dimension whose size is in `sizes` made `factor` times as large; with
    `numbers`, integers that stand for such sizes as well."""
    if isinstance(v, (list, tuple)):
        return [grown(item, sizes, factor, numbers, depth + 1) for item in v]
    if isinstance(v, dict):
        return {k: grown(item, sizes, factor, numbers, depth + 1) for k, item in v.items()}
    if isinstance(v, torch.Tensor):
        return repeated(v, sizes, factor)
    if numbers and isinstance(v, int) and not isinstance(v, bool) and v in sizes:
        return v * factor
    return v


def factor_for(tensors, sizes, elements):
    def largest(factor):
        best = 0
        for tensor in tensors:
            count = tensor.numel()
            for size in tensor.shape:
                count *= factor if size in sizes else 1
            best = max(best, count)
        return best

    if largest(2) == largest(1):
        return None
    factor = 1
    while largest(factor) < elements:
        factor *= 2
    return factor


def large_calls(op, args, kwargs, elements):
    """Calls (args, kwargs, outs): each size alone made large, and all together."""
    tensors = tensors_of([args, kwargs])
    if tensors:
        sizes = {size for tensor in tensors for size in tensor.shape if size > 1}
    else:
        sizes = {leaf for leaf in leaves([args, kwargs])
                 if isinstance(leaf, int) and not isinstance(leaf, bool) and leaf > 1}
    for chosen in [{size} for size in sorted(sizes)] + ([sizes] if len(sizes) > 1 else []):
        factor = factor_for(tensors, chosen, elements) if tensors else elements
        for numbers in ((False, True) if tensors else (True,)):
            if factor is None:
                continue
            big = (grown(args, chosen, factor, numbers), grown(kwargs, chosen, factor, numbers))
            try:
                outs = op(*big[0], **big[1])
            except (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError):
                continue
            if sum(t.numel() for t in tensors_of([outs])) <= MAX_GROWTH * elements:
                yield (*big, outs)
            break


def chosen_cases(cases, dtype):
    """The largest case for every way to call the operator."""
    def first_dtype(case):
        tensors = tensors_of(case)
        return next((t.dtype for t in tensors if t.dtype.is_floating_point),
                    tensors[0].dtype if tensors else None)

    wanted = [c for c in cases if first_dtype(c) in (dtype, None)]
    ways = {}
    for case in wanted or cases:
        if any(size == 0 for t in tensors_of(case) for size in t.shape):
            continue
        way = repr([[t.dim() if isinstance(t, torch.Tensor) else t for t in leaves(case)]])
        count = max([t.numel() for t in tensors_of(case)], default=0)
        if way not in ways or count > ways[way][0]:
            ways[way] = (count, case)
    return [case for _, case in sorted(ways.values(), key=lambda w: -w[0])[:MAX_CALLS]]


# --- Timing. ---


def torch_us(op, args, kwargs, outs):
    owners = {t.untyped_storage().data_ptr() for t in tensors_of([args, kwargs])}
    views = [t for t in tensors_of([outs]) if t.untyped_storage().data_ptr() in owners]
    written = {id(t) for t in tensors_of([args, kwargs])}
    copies = bool(views) and not any(id(t) in written for t in views)
    least, spent = float("inf"), 0
    for lap in range(20):
        start = time.thread_time_ns()
        result = op(*args, **kwargs)
        if copies:
            result = [t.clone(memory_format=torch.contiguous_format) for t in tensors_of([result])]
        took = (time.thread_time_ns() - start) / 1e3
        least, spent = min(least, took), spent + took
        if lap >= LAPS - 1 and spent > 5000 or spent > 1e6:
            break
    return least


def our_us(program, folder):
    """(microseconds, kernel or graph, what went wrong)"""
    done = subprocess.run([program, "--table", "--laps", str(LAPS), "--jobs", "1", folder],
                          stdout=subprocess.PIPE, text=True, env=REUSED_MEMORY)
    lines = done.stdout.splitlines()
    row = lines[-2].split()
    return float(row[-1]), row[1], "" if row[-2] == "0" else lines[0].split(": ", 1)[-1]


def shapes_of(v):
    return " ".join(f"{NAMES.get(t.dtype, 'C')}{list(t.shape)}".replace(" ", "")
                    for t in tensors_of(v)[:3])


def plain_arguments(v):
    return " ".join(str(leaf) for leaf in leaves(v) if not isinstance(leaf, torch.Tensor))


def measure(name, path, options):
    """The row of the operator's slowest call; None where no call is worth timing."""
    space, op_name, overload = name.split(".")
    try:
        op = getattr(getattr(getattr(torch.ops, space), op_name), overload)
    except AttributeError:
        return None
    slowest = None
    for case in chosen_cases(read_cases(path), getattr(torch, options.dtype)):
        for args, kwargs, outs in large_calls(op, *case, options.elements):
            with tempfile.TemporaryDirectory() as folder:
                results = outs if isinstance(outs, (list, tuple)) else [outs]
                write_case(os.path.join(folder, name + ".safetensors"), args, kwargs, results)
                ours, way, wrong = our_us(options.conformance, folder)
            theirs = torch_us(op, args, kwargs, outs)
            if theirs < WORTH_TIMING_US and ours < 20 * WORTH_TIMING_US:
                continue
            count = max(t.numel() for t in tensors_of([args, kwargs, outs]))
            row = {"operator": name, "ratio": ours / theirs, "ours": ours / count * 1e3,
                   "torch": theirs / count * 1e3, "call": shapes_of([args, kwargs]) + " " +
                   plain_arguments([args, kwargs]), "way": way, "wrong": wrong}
            if slowest is None or row["ratio"] > slowest["ratio"]:
                slowest = row
    return slowest


def line_of(row):
    return (f"| {row['operator']} | {row['way']} | {row['ratio']:.1f} | {row['ours']:.2f} | "
            f"{row['torch']:.2f} | {row['call'][:100]} | {row['wrong'][:60]} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--op", default="*", help="only operators whose name matches")
    parser.add_argument("--dtype", default="float32", help="of the calls, where there are such")
    parser.add_argument("--elements", type=int, default=1 << 18)
    parser.add_argument("--corpus", default=os.path.join(ROOT, "build", "corpus", "ops"))
    parser.add_argument("--conformance", default=os.path.join(ROOT, "build", "conformance"))
    parser.add_argument("--table", help="also write the table there")
    options = parser.parse_args()
    torch.set_num_threads(1)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESSES, MAX_ADDRESSES))
    rows = []
    with torch.inference_mode():
        for file in sorted(os.listdir(options.corpus)):
            name = file.removesuffix(".safetensors")
            if file == name or not fnmatch.fnmatch(name, options.op):
                continue
            row = measure(name, os.path.join(options.corpus, file), options)
            if row:
                rows.append(row)
                print(line_of(row), file=sys.stderr, flush=True)
    rows.sort(key=lambda r: -r["ratio"])
    lines = ["| operator | way | times slower | ns an element | PyTorch's | call | differs |",
             "|---|---|---|---|---|---|---|"]
    lines += [line_of(row) for row in rows]
    print("\n".join(lines))
    if options.table:
        with open(options.table, "w") as f:
            f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
