# SPDX-FileCopyrightText: 2026 The Cresset Authors
# SPDX-License-Identifier: Apache-2.0
"""Exports a model that uses an operator of our own: python export.py writes snake.pt2."""
import torch


@torch.library.custom_op("my::snake", mutates_args=())
def snake(x: torch.Tensor, frequency: float = 1.0) -> torch.Tensor:
    return x + torch.sin(frequency * x) ** 2 / frequency


@snake.register_fake
def _(x, frequency=1.0):
    return torch.empty_like(x)


class Net(torch.nn.Module):
    def forward(self, x):
        return snake(x, 2.0) + 1


torch.export.save(torch.export.export(Net(), (torch.zeros(2, 3),)), "snake.pt2")
