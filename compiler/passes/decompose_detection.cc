// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/decompositions.h"

// What detectors and warping networks add to images.
namespace cresset::passes::decompositions {

namespace {

// The share that each of `size` cells has in the mean of the samples of each bin, [rois, bins,
// size]. `start` and `length` are [rois, 1].
Value* bin_weights(Builder& b, Value* start, Value* length, int64_t bins, int64_t samples,
                   const Dim& size) {
  std::vector<float> at;
  for (int64_t i = 0; i < bins * samples; ++i) {
    at.push_back((static_cast<float>(i) + 0.5F) / static_cast<float>(bins * samples));
  }
  Value* places = b.constant(ir::make_constant(
      "samples", {DType::kFloat32, {1, bins * samples}, {}}, at.data(), at.size() * sizeof(float)));
  Value* y = b.add(start, b.mul(length, places));
  // Beyond one cell outside the image there is nothing.
  Value* inside = b.call(Op::logical_and, {b.ge(y, -1.0), b.le(y, b.argument(size))});
  y = b.clamp(y, 0.0, b.argument(size - 1));
  Value* cells = b.iota(size, DType::kFloat32);
  Value* distance = b.unary(Op::abs, b.sub(b.unsqueeze(y, 2), cells));
  Value* weights = b.clamp(b.sub(1.0, distance), 0.0, Argument());
  weights = b.mul(weights, b.cast(b.unsqueeze(inside, 2), DType::kFloat32));
  return b.mean(b.view(weights, {b.size(start, 0), bins, samples, size}), {2}, false);
}

}  // namespace

Values torchvision_roi_align(Builder& b) {
  Value* x = b.widened(b.in(0));
  Value* rois = b.widened(b.in(1));
  const double scale = b.number(2);
  const int64_t rows = b.integer(3);
  const int64_t columns = b.integer(4);
  const int64_t samples = b.integer(5);
  const bool aligned = b.flag(6);
  if (samples <= 0) {
    return b.unsupported("the number of samples must be given");
  }
  const auto corner = [&](int64_t column) {
    Value* at = b.mul(b.narrow(rois, 1, column, 1), scale);
    return aligned ? b.sub(at, 0.5) : at;
  };
  Value* left = corner(1);
  Value* top = corner(2);
  Value* width = b.sub(corner(3), left);
  Value* height = b.sub(corner(4), top);
  if (!aligned) {
    width = b.clamp(width, 1.0, Argument());
    height = b.clamp(height, 1.0, Argument());
  }
  // Interpolation and mean are separable: rows of weights on either side of the image.
  Value* down = bin_weights(b, top, height, rows, samples, b.size(x, 2));
  Value* across = bin_weights(b, left, width, columns, samples, b.size(x, 3));
  Value* image = b.cast(b.select(rois, 1, 0), DType::kInt64);
  x = b.call(Op::index_select, {x, 0, image});
  Value* y = matmul(b, b.unsqueeze(down, 1), x);
  return {matmul(b, y, b.transpose(b.unsqueeze(across, 1), -2, -1))};
}

Values torchvision_nms(Builder& b) {
  Value* boxes = b.widened(b.in(0));
  const Dim n = b.size(boxes, 0);
  Value* order = b.calls(Op::sort, {b.in(1), 0, true})[1];
  boxes = b.call(Op::index_select, {boxes, 0, order});
  const auto side = [&](int64_t column) { return b.narrow(boxes, 1, column, 1); };
  const auto other = [&](Value* v) { return b.transpose(v, 0, 1); };
  Value* area = b.mul(b.sub(side(2), side(0)), b.sub(side(3), side(1)));
  const auto overlap = [&](int64_t low, int64_t high) {
    Value* end = b.minimum(side(high), other(side(high)));
    return b.clamp(b.sub(end, b.maximum(side(low), other(side(low)))), 0.0, Argument());
  };
  Value* common = b.mul(overlap(0, 2), overlap(1, 3));
  Value* joint = b.sub(b.add(area, other(area)), common);
  Value* hides = b.gt(b.div(common, joint), b.number(2));
  Value* place = b.iota(n);
  Value* later = b.lt(b.view(place, {n, 1}), b.view(place, {1, n}));
  hides = b.call(Op::logical_and, {hides, later});
  Value* self = b.eq(b.view(place, {n, 1}), b.view(place, {1, n}));
  // Box by box in falling order of scores: one that is still kept drops those that it hides.
  auto body = std::make_shared<ir::Graph>();
  body->name = "step";
  const Type row = Type::of({DType::kBool, {n}, {}});
  Value* kept = body->add_input("kept", row);
  Value* hidden = body->add_input("hidden", row);
  Value* me = body->add_input("me", row);
  Builder inner(*body, nullptr, &b.node());
  Value* alive = inner.call(Op::any_dim, {inner.call(Op::logical_and, {kept, me}), 0, true});
  Value* dropped = inner.call(Op::logical_and, {hidden, alive});
  Value* next = inner.call(Op::logical_and, {kept, inner.unary(Op::logical_not, dropped)});
  body->outputs = {next};
  if (inner.error()) {
    return b.unsupported(inner.error().text);
  }
  Value* all = b.full({n}, Scalar::of_bool(true), DType::kBool);
  Value* mask = b.typed_calls(
      Op::hop_scan, {body, ArgumentList{all}, ArgumentList{hides, self}, ArgumentList{}}, {row})[0];
  return {b.typed(Op::masked_select, {order, mask}, b.out())};
}

Values grid_sampler(Builder& b) {
  return {b.typed(b.in(0)->rank() == 5 ? Op::grid_sampler_3d : Op::grid_sampler_2d, b.node().args(),
                  b.out())};
}

}  // namespace cresset::passes::decompositions
