# SPDX-FileCopyrightText: 2026 The Cresset Authors
# SPDX-License-Identifier: Apache-2.0
"""Exports the models below with PyTorch 2.13 and keeps what they compute in eager mode.

  python make.py [NAME...]    writes NAME.pt2 and NAME.safetensors (all without NAME) beside this file

The form of the case files is that of the corpus.
"""
import copy
import json
import os
import re
import struct
import sys
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim
from torch.utils import _pytree as pytree

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = {}
DTYPES = {torch.bool: "BOOL", torch.uint8: "U8", torch.int8: "I8", torch.int16: "I16",
          torch.int32: "I32", torch.int64: "I64", torch.float16: "F16", torch.bfloat16: "BF16",
          torch.float32: "F32", torch.float64: "F64"}


class Cases:
    def __init__(self):
        self.cases, self.tensors = [], {}

    def value(self, v):
        if isinstance(v, torch.Tensor):
            v = v.detach()
            key = f"t{len(self.tensors)}"
            shown = {"t": key}
            if v.is_complex():
                shown["complex"] = True
                v = torch.view_as_real(v)
            self.tensors[key] = v.contiguous()
            return shown
        if isinstance(v, float) and not (abs(v) < float("inf")):
            return {"f": str(v)}
        return {"s": v} if isinstance(v, str) else v

    def write(self, path):
        header, blob = {}, b""
        for key, t in self.tensors.items():
            raw = t.reshape(-1).view(torch.uint8).numpy().tobytes() if t.numel() else b""
            header[key] = {"dtype": DTYPES[t.dtype], "shape": list(t.shape),
                           "data_offsets": [len(blob), len(blob) + len(raw)]}
            blob += raw
        header["__metadata__"] = {"cases": json.dumps(self.cases)}
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        with open(path, "wb") as f:
            f.write(struct.pack("<Q", len(text)) + text + blob)


def model(*calls, kwargs=None, dynamic=None, decompose=False, refused=(), strict=False):
    """Registers the class below as a model: the first call is what it is exported with, `refused`
    holds calls that must be refused. `decompose` also exports NAME_core."""
    def register(cls):
        MODELS[cls.__name__] = (cls, calls, kwargs or {}, dynamic, refused, strict, False)
        if decompose:
            MODELS[cls.__name__ + "_core"] = (cls, calls, kwargs or {}, dynamic, refused, strict,
                                              True)
        return cls
    return register


def without_folders(program):
    """Stack traces name files, not where this machine keeps them."""
    for module in program.graph_module.modules():
        for node in getattr(module, "graph", torch.fx.Graph()).nodes:
            if node.meta.get("stack_trace"):
                trace = re.sub(r'File "[^"]*/site-packages/', 'File "', node.meta["stack_trace"])
                node.meta["stack_trace"] = re.sub(r'File "(?!torch/)[^"]*/', 'File "', trace)


def make(name):
    cls, calls, kwargs, dynamic, refused, strict, core = MODELS[name]
    torch.manual_seed(1)
    net = cls().eval()
    program = torch.export.export(copy.deepcopy(net), copy.deepcopy((calls + tuple(refused))[0]),
                                  copy.deepcopy(kwargs), dynamic_shapes=dynamic, strict=strict)
    if core:
        program = program.run_decompositions()
    without_folders(program)
    torch.export.save(program, os.path.join(HERE, name + ".pt2"))
    cases = Cases()
    for args in calls:
        args, given = copy.deepcopy(args), copy.deepcopy(kwargs)
        inputs = pytree.tree_leaves((args, given))
        case = {"method": "forward", "inputs": [cases.value(copy.deepcopy(i)) for i in inputs]}
        before = [i.clone() if isinstance(i, torch.Tensor) else i for i in inputs]
        with torch.no_grad():
            outputs = pytree.tree_leaves(net(*args, **given))
        case["outputs"] = [cases.value(copy.deepcopy(o)) for o in outputs]
        mutated = {str(k): cases.value(i) for k, i in enumerate(inputs)
                   if isinstance(i, torch.Tensor) and not torch.equal(i, before[k])}
        if mutated:
            case["mutated"] = mutated
        cases.cases.append({**case, "rtol": 1e-5, "atol": 1e-5})
    for args in refused:
        cases.cases.append({"method": "forward", "error": True, "why": "",
                            "inputs": [cases.value(i) for i in pytree.tree_leaves((args, kwargs))],
                            "outputs": [], "rtol": 0, "atol": 0})
    cases.write(os.path.join(HERE, name + ".safetensors"))


def seq(*sizes, step=0.25, dtype=torch.float32):
    n = 1
    for s in sizes:
        n *= s
    return ((torch.arange(n) % 23 - 9) * step).reshape(sizes).to(dtype)


# --- Effects, complex numbers ---

@model((seq(3),), decompose=True)
class prints(nn.Module):
    def forward(self, x):
        torch.ops.aten._print("x")
        torch._higher_order_ops.print("{} {y}", x, y=3)
        torch.ops.aten._assert_async.msg(x.sum() > -100, "sum")
        return x + 1


@model((seq(2, 3),), decompose=True)
class complex_numbers(nn.Module):
    def forward(self, x):
        a = torch.full((2, 3), 1 + 2j)
        b = x + 1j
        c = a.clone()
        c.fill_(3j)
        d = torch.where(x > 1, a, 2j)
        e = torch.add(a, b, alpha=2j)
        f = a * 2.0 + (1 - 1j) * b
        g = x.double() * (0.1 + 0.2j)
        h = torch.arange(3) - 0.5j
        i = (b / (2 + 1j)).abs()
        return [torch.view_as_real(v) for v in (a, b, c, d, e, f, g, h)] + [i]


# --- Operators of Python ---

@model((torch.arange(6).reshape(2, 3), torch.tensor([1, 0, 2])), decompose=True)
class shifts(nn.Module):
    def forward(self, a, b):
        c = a.clone()
        c <<= 2
        c >>= b
        c |= 8
        c &= a + 11
        c ^= b
        return a << 1, a >> 1, a << b, a >> b, c


# --- Containers, numbers, None ---

@dataclass
class Batch:
    image: torch.Tensor
    scale: torch.Tensor


torch.export.register_dataclass(Batch, serialized_type_name="Batch")


@model(({"a": seq(3), "b": (seq(2), [seq(1)])}, Batch(seq(2, 2), seq(2))), kwargs={"flip": True})
class containers(nn.Module):
    def forward(self, d, batch, flip=False, nothing=None):
        y = d["a"] * 2 if flip else d["a"]
        return {"y": y, "n": None, "t": (d["b"][0] + 1, d["b"][1][0])}, Batch(
            batch.image * batch.scale, batch.scale), 3, "text"


@model((seq(3), 2, 0.5, True), kwargs={"k": seq(3)})
class numbers(nn.Module):
    def forward(self, x, n, f, b, *, k):
        return x * n + f if b else x, n + 1, k


@model((seq(2, 3), torch.tensor([[True, False, True], [False, False, True]])))
class bool_input(nn.Module):
    def forward(self, x, m):
        return x.masked_fill(m, -1.0), m & (x > 0), ~m, x[:, 1] * m[:, 0], m.sum(1), m


# --- State ---

@model((torch.tensor([[1, 2], [0, 3]]),), (torch.tensor([[2, 2], [1, 1]]),))
class tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(5, 4)
        self.out = nn.Linear(4, 5, bias=False)
        self.out.weight = self.emb.weight
        self.register_buffer("count", torch.zeros(4))
        self.also = nn.Module()
        self.also.register_buffer("count", self.count)

    def forward(self, i):
        y = self.emb(i)
        self.count += y.sum((0, 1))
        return self.out(y), self.also.count + 1


@model((seq(4),), (seq(4) + 1,))
class buffers(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(4))
        self.register_buffer("c", torch.tensor([1 + 2j, 3j]))
        self.register_buffer("n", torch.tensor(0), persistent=False)

    def forward(self, x):
        old = self.last.clone()
        self.last.copy_(x)
        self.n += 1
        return old, self.last, self.n, torch.view_as_real(self.c * 2)


@model((seq(2, 3), seq(3)), decompose=True)
class mutated_inputs(nn.Module):
    def forward(self, x, y):
        x[0].add_(y)
        y.mul_(2)
        return x, y.view(3, 1), x.t()


@model((seq(4, 6),))
class views_out(nn.Module):
    def forward(self, x):
        y = x * 2
        return y[1:3], y.t(), y.view(2, 12)[:, ::2], y[0].expand(3, 6), x, x


class Overlapping(nn.Module):
    def __init__(self):
        super().__init__()
        memory = torch.arange(6.0)
        self.register_buffer("head", memory[:4])
        self.register_buffer("tail", memory[2:])


@model((seq(4),))
class overlapping_read(Overlapping):
    def forward(self, x):
        return x + self.head, x * self.tail


@model(refused=[(seq(4),)])
class overlapping_written(Overlapping):
    def forward(self, x):
        self.head.add_(x)
        return x * self.tail


# --- Operators of the application that write into their arguments ---

@torch.library.custom_op("my::accumulate", mutates_args=("acc",))
def accumulate(acc: torch.Tensor, x: torch.Tensor) -> None:
    acc.add_(x)


@accumulate.register_fake
def _(acc, x):
    return None


@torch.library.custom_op("my::exchange", mutates_args=("a", "b"))
def exchange(a: torch.Tensor, b: torch.Tensor, scale: float) -> torch.Tensor:
    old = a.clone()
    a.copy_(b)
    b.copy_(old * scale)
    return old.sum()


@exchange.register_fake
def _(a, b, scale):
    return a.new_empty(())


@model((seq(3, 2),), (seq(3, 2) + 1,), decompose=True)
class writing_operators(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(4, 2))

    def forward(self, x):
        y = x * 2
        torch.ops.my.accumulate(y, x)
        total = torch.ops.my.exchange(self.cache[1:3], y[:2], 3.0)
        torch.ops.my.accumulate(self.cache, x.new_ones(4, 2))
        return self.cache + total, y


@model((seq(1, 2, 2, 4), torch.tensor(0)), (seq(1, 2, 2, 4) + 1, torch.tensor(2)), decompose=True)
class llama_cache(nn.Module):
    def __init__(self):
        super().__init__()
        from executorch.extension.llm.custom_ops import custom_ops  # noqa: F401, registers llama::*
        for name in ("k", "v", "k2", "v2"):
            self.register_buffer(name, torch.zeros(1, 6, 2, 4))

    def forward(self, x, at):
        start = at.item()
        torch._check(start >= 0)
        torch._check(start <= 4)
        torch.ops.llama.update_cache(x, self.k, start)
        torch.ops.llama.update_cache(x * 2, self.v, start)
        y = torch.ops.llama.custom_sdpa(x, self.k, self.v, start, None, 0.0, True)
        z = torch.ops.llama.sdpa_with_kv_cache(x, x, x * 2, self.k2, self.v2, start, 2, None, 0.0,
                                               True)
        return y, z, self.k + 0


# --- Control flow ---

@model((seq(3), torch.tensor(True), torch.tensor(2.0)),
       (seq(3), torch.tensor(False), torch.tensor(-2.0)),
       (seq(3), torch.tensor(False), torch.tensor(3.0)))
class nested_cond(nn.Module):
    def forward(self, x, p, q):
        def inner(x, q):
            return torch.cond(q > 0, lambda x: x + 1, lambda x: x - 1, (x,))
        return torch.cond(p, lambda x, q: x * q, inner, (x, q))


@model((torch.tensor(3), seq(2, 2)), (torch.tensor(0), seq(2, 2)), decompose=True)
class loops(nn.Module):
    def forward(self, n, x):
        return torch._higher_order_ops.while_loop(
            lambda n, x: n > 0, lambda n, x: (n - 1, x @ x * 0.5 + n), (n, x))


@model((seq(4, 3), seq(3)), decompose=True)
class scans(nn.Module):
    def forward(self, xs, init):
        carry, ys = torch._higher_order_ops.scan(
            lambda c, x: (c * 0.5 + x, (c + x).sum()), init, xs)
        mapped = torch._higher_order_ops.map(lambda x, c: x * c + 1, xs, init)
        return carry, ys, mapped


# --- Dynamic sizes ---

@model((seq(3), seq(4), seq(6)), (seq(5), seq(6), seq(10)),
       dynamic=({0: (n := Dim("n", min=2, max=12))}, {0: n + 1}, {0: 2 * n}),
       refused=[(seq(3), seq(3), seq(6)), (seq(3), seq(4), seq(8)), (seq(3), seq(4), seq(7))])
class derived_sizes(nn.Module):
    def forward(self, x, y, z):
        return y[1:] + x, z[::2] - x, z.view(-1, 2).sum(1) * y[:-1]


@model((seq(2, 3), seq(5), seq(6)), (seq(3, 4), seq(7), seq(12)),
       dynamic=({0: Dim("a", min=2, max=8), 1: Dim("b", min=2, max=8)},
                {0: Dim.AUTO(max=16)}, {0: Dim.AUTO(max=64)}),
       refused=[(seq(2, 3), seq(6), seq(6)), (seq(2, 3), seq(5), seq(8))])
class auto_sizes(nn.Module):
    def forward(self, x, s, p):
        return torch.cat([x[:, 0], x[0]]) + s, x.reshape(-1) * p


@model((torch.tensor([0, 3, 0, 2, 5]),), (torch.tensor([0, 0, 0, 0, 0]),),
       (torch.tensor([1, 1, 1, 1, 1]),))
class found(nn.Module):
    def forward(self, x):
        i = x.nonzero()
        n = i.shape[0]
        return i, x[x > 1] * 2, torch.zeros(5) + n


@model((seq(6), torch.tensor(2)), (seq(6), torch.tensor(4)))
class item_sizes(nn.Module):
    def forward(self, x, n):
        k = n.item()
        torch._check(k >= 1)
        torch._check(k <= 6)
        return x[:k].sum() + k, x.narrow(0, 0, k) * 2


# --- Layers ---

@model((seq(2, 5, 8), seq(2, 7, 8)))
class attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.mha = nn.MultiheadAttention(8, 2, batch_first=True, add_bias_kv=True)

    def forward(self, q, k):
        return self.mha(q, k, k)


@model((seq(2, 5, 8), torch.tensor([[False] * 5, [False] * 3 + [True] * 2])))
class encoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, norm_first=True)
        self.net = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, x, pad):
        return self.net(x, src_key_padding_mask=pad)


@model((torch.tensor([1, 2, 0, 4, 4, 3]), torch.tensor([0, 2, 2])))
class bags(nn.Module):
    def __init__(self):
        super().__init__()
        self.sum = nn.EmbeddingBag(6, 3, mode="sum")
        self.mean = nn.EmbeddingBag(6, 3, mode="mean", padding_idx=4)
        self.max = nn.EmbeddingBag(6, 3, mode="max")

    def forward(self, i, offsets):
        return self.sum(i, offsets), self.mean(i, offsets), self.max(i, offsets)


@model((seq(1, 4, 5, 6),))
class transposed(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2)
        self.next = nn.ConvTranspose2d(6, 2, (2, 3), dilation=2, bias=False)
        self.norm = nn.InstanceNorm2d(2, affine=True)

    def forward(self, x):
        y = self.next(F.silu(self.up(x)))
        return self.norm(y), F.pixel_shuffle(x, 2), F.fold(x.reshape(1, 4, 30)[:, :, :9], (4, 4), 2)


@model((seq(1, 2, 3, 4, 5),))
class volume(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv3d(2, 3, 2, padding=1)

    def forward(self, x):
        return F.max_pool3d(self.conv(x), 2)


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


@model((seq(3),))
class own_gradient(nn.Module):
    def forward(self, x):
        with torch.no_grad():
            y = Twice.apply(x)
        with torch.enable_grad():
            return y + Twice.apply(y)


@model((seq(2, 4, 6), seq(2, 2, 5)))
class recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(6, 5, num_layers=1, bidirectional=True, batch_first=True)
        self.cell = nn.LSTMCell(6, 5)

    def forward(self, x, h):
        y, last = self.gru(x, h)
        return y, last, self.cell(x[:, 0])


@model((seq(3, 4, step=0.5),))
class small_types(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("i8", torch.arange(4, dtype=torch.int8))

    def forward(self, x):
        return self.i8 * 3, x.to(torch.uint8) // 2, x.to(torch.float16).to(torch.int16), x.to(torch.bfloat16) + self.i8


if __name__ == "__main__":
    for model_name in sys.argv[1:] or MODELS:
        make(model_name)
