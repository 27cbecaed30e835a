// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/decompositions.h"

namespace cresset::passes::decompositions {

namespace {

// One number for each of n dimensions: a lone one stands for all.
Argument spread(const Argument& argument, size_t n) {
  if (!argument.is_list()) {
    return ArgumentList(n, argument);
  }
  return argument.list().size() == 1 ? ArgumentList(n, argument.list()[0]) : argument;
}

Values convolve(Builder& b, size_t n, Value* x, Argument stride, Argument padding,
                Argument dilation, bool transposed, Argument output_padding, Argument groups) {
  const bool unbatched = x->rank() == n + 1;
  if (unbatched) {
    x = b.unsqueeze(x, 0);
  }
  Value* bias = b.in(2);
  Value* y = b.call(Op::convolution, {x, b.in(1), bias == nullptr ? Argument() : Argument(bias),
                                      spread(stride, n), spread(padding, n), spread(dilation, n),
                                      transposed, spread(output_padding, n), groups});
  return {unbatched ? b.squeeze(y, 0) : y};
}

Values plain(Builder& b, size_t n) {
  const Node& node = b.node();
  return convolve(b, n, b.in(0), node.arg(3), node.arg(4), node.arg(5), false, 0, node.arg(6));
}

// Padding as a word: "valid", or "same", which keeps the sizes; what does not halve goes right.
Values worded(Builder& b, size_t n) {
  const Node& node = b.node();
  Value* x = b.in(0);
  Ints padding(n, 0);
  if (node.arg(4).string() == "same") {
    const Argument dilations = spread(node.arg(5), n);
    ArgumentList uneven;
    bool is_uneven = false;
    for (size_t d = 0; d < n; ++d) {
      const Dim kernel = b.size(b.in(1), static_cast<int64_t>(2 + d));
      const int64_t total = dilations.list()[d].integer() * (kernel.known().value_or(1) - 1);
      padding[d] = total / 2;
      uneven.insert(uneven.begin(), {0, total % 2});  // the last dimension comes first
      is_uneven = is_uneven || total % 2 != 0;
    }
    if (is_uneven) {
      x = b.call(Op::constant_pad_nd, {x, uneven, 0});
    }
  }
  return convolve(b, n, x, node.arg(3), Argument::ints(padding), node.arg(5), false, 0,
                  node.arg(6));
}

// The arguments stand in another order than those of `convolution`.
Values transposed(Builder& b, size_t n) {
  const Node& node = b.node();
  return convolve(b, n, b.in(0), node.arg(3), node.arg(4), node.arg(7), true, node.arg(5),
                  node.arg(6));
}

}  // namespace

Values conv1d(Builder& b) { return plain(b, 1); }
Values conv2d(Builder& b) { return plain(b, 2); }
Values conv3d(Builder& b) { return plain(b, 3); }
Values conv1d_padding(Builder& b) { return worded(b, 1); }
Values conv2d_padding(Builder& b) { return worded(b, 2); }
Values conv3d_padding(Builder& b) { return worded(b, 3); }
Values _convolution_mode(Builder& b) { return worded(b, b.in(1)->rank() - 2); }
Values conv_transpose1d(Builder& b) { return transposed(b, 1); }
Values conv_transpose2d_input(Builder& b) { return transposed(b, 2); }
Values conv_transpose3d_input(Builder& b) { return transposed(b, 3); }
Values _convolution_deprecated(Builder& b) {
  const Node& node = b.node();
  return convolve(b, b.in(1)->rank() - 2, b.in(0), node.arg(3), node.arg(4), node.arg(5), b.flag(6),
                  node.arg(7), node.arg(8));
}

namespace {

Values slow(Builder& b, size_t n) {
  const Node& node = b.node();
  Value* x = b.in(0);
  return {b.call(Op::convolution, {x, b.in(1), node.arg(3), spread(node.arg(4), n),
                                   spread(node.arg(5), n), spread(1, n), false, spread(0, n), 1})};
}

}  // namespace

Values thnn_conv2d(Builder& b) { return slow(b, 2); }
Values slow_conv3d(Builder& b) { return slow(b, 3); }

}  // namespace cresset::passes::decompositions
