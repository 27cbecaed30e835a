# SPDX-FileCopyrightText: 2026 The Cresset Authors
# SPDX-License-Identifier: Apache-2.0
"""Calls operators with PyTorch 2.13 in ways that the corpus does not, and keeps what they give.

  python make.py    writes <namespace>.<name>.<overload>.safetensors beside this file

The form of the case files is that of the corpus.
"""
import json
import os
import struct

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
DTYPES = {torch.bool: "BOOL", torch.int32: "I32", torch.int64: "I64", torch.float32: "F32",
          torch.float64: "F64"}
TOLERANCE = {"rtol": 1e-5, "atol": 1e-5}


class File:
    def __init__(self):
        self.tensors, self.cases = {}, []

    def value(self, v):
        if isinstance(v, torch.Tensor):
            key = f"t{len(self.tensors)}"
            self.tensors[key] = torch.view_as_real(v).contiguous() if v.is_complex() else v.contiguous()
            return {"t": key, **({"complex": True} if v.is_complex() else {})}
        if isinstance(v, (list, tuple)):
            return [self.value(x) for x in v]
        return v

    def add(self, op, *args):
        result = op(*args)
        outs = result if isinstance(result, (list, tuple)) else [result]
        self.cases.append({"args": self.value(args), "kwargs": {}, "outs": self.value(outs),
                           **TOLERANCE})

    def write(self, op):
        schema = op._schema
        header = {"__metadata__": {"cases": json.dumps(self.cases)}}
        data = b""
        for key, t in self.tensors.items():
            raw = t.numpy().tobytes()
            header[key] = {"dtype": DTYPES[t.dtype], "shape": list(t.shape),
                           "data_offsets": [len(data), len(data) + len(raw)]}
            data += raw
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        name = f"{schema.name.replace('::', '.')}.{schema.overload_name or 'default'}"
        with open(os.path.join(HERE, name + ".safetensors"), "wb") as f:
            f.write(struct.pack("<Q", len(text)) + text + data)


def keep(op, calls):
    file = File()
    for args in calls:
        file.add(op, *args)
    file.write(op)


def ctc_calls(lengths):
    logits = torch.randn(7, 2, 4).log_softmax(2)
    targets = torch.tensor([[1, 1, 2], [3, 2, 0]])
    joined = torch.tensor([1, 1, 2, 3, 2])
    steps, counts = lengths([7, 5]), lengths([3, 2])
    for reduction in range(3):
        yield logits, targets, steps, counts, 0, reduction
    yield logits, joined, steps, counts
    yield logits.double(), targets, steps, counts, 3, 0  # another blank
    yield logits[:2], targets, lengths([2, 2]), counts, 0, 0, True  # too short: infinite, made 0
    yield logits[:, 0], targets[0], lengths([7]), lengths([3])


def main():
    torch.manual_seed(0)
    aten = torch.ops.aten
    keep(aten.ctc_loss.IntList, ctc_calls(lambda x: x))
    keep(aten.ctc_loss.Tensor, ctc_calls(torch.tensor))
    rows = torch.randint(0, 2, (6, 2, 2))
    keep(aten.unique_dim.default, [(rows, d) for d in (0, 1, -1)] + [(rows.float()[:1], 0)])
    keep(aten.unique_consecutive.default, [(rows, True, True, 0), (rows.double(), False, True, 2)])
    real, window = torch.randn(2, 50), torch.hann_window(12)
    wave = torch.randn(40, dtype=torch.complex64)
    keep(aten.stft.default, [(real, 16, 4, 12, window, False, True, True),
                             (real, 16, 5, 9, None, False, False, True),
                             (wave, 8, 3, None, torch.ones(8) + 1j, True, None, True)])
    spectrum = torch.stft(real, 16, 4, 12, window, return_complex=True)
    keep(aten.istft.default, [(spectrum, 16, 4, 12, window, True, False, None, length)
                              for length in (None, 30)] +
         [(spectrum, 16, 4, None, None, True, True, None, 60)])


if __name__ == "__main__":
    main()
