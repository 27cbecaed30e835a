// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "kernels/common/elements.h"
#include "kernels/common/kernel.h"

namespace cresset::kernels::portable {

namespace {

// [batch, sequence, heads, size] of queries and of the keys that they see; fewer heads of keys
// serve several heads of queries each.
struct AttentionSizes {
  int64_t batch, queries, heads, width, seen, shared;
};

Status check(KernelContext& context, const Tensor& q, const Tensor& k, const Tensor& v,
             int64_t start, const Tensor* mask) {
  const bool ranks = q.rank() == 4 && k.rank() == 4 && v.rank() == 4;
  if (!ranks || k.size(0) != q.size(0) || k.size(3) != q.size(3) || !(k.same_layout(v)) ||
      k.size(2) == 0 || q.size(2) % k.size(2) != 0) {
    return context.fail(Status::kInvalidArgument,
                        "query {}, key {} and value {} do not go together", q.sizes(), k.sizes(),
                        v.sizes());
  }
  const int64_t seen = start + q.size(1);
  if (start < 0 || seen > k.size(1)) {
    return context.fail(Status::kInvalidArgument, "start_pos {} with {} queries is beyond {} keys",
                        start, q.size(1), k.size(1));
  }
  if (mask != nullptr && (mask->rank() != 2 || mask->dtype() != DType::kFloat32 ||
                          mask->size(0) != q.size(1) || mask->size(1) < seen)) {
    return context.fail(Status::kInvalidArgument, "attn_mask {} is not a row of {} for each query",
                        mask->sizes(), seen);
  }
  return Status::kOk;
}

// weights[s] = softmax over the keys of scale * (q . k[s]) + mask[s].
template <class E>
void attention_weights(typename E::In q, ptrdiff_t q_step, typename E::In k, ptrdiff_t k_row,
                       ptrdiff_t k_step, const AttentionSizes& sizes, int64_t visible, float scale,
                       const float* mask, ptrdiff_t mask_step, float* weights) {
  float most = -INFINITY;
  for (int64_t s = 0; s < visible; ++s) {
    float dot = 0;
    for (int64_t i = 0; i < sizes.width; ++i) {
      dot += q[i * q_step] * k[s * k_row + i * k_step];
    }
    weights[s] = dot * scale + (mask == nullptr ? 0 : mask[s * mask_step]);
    most = std::fmax(most, weights[s]);
  }
  float sum = 0;
  for (int64_t s = 0; s < visible; ++s) {
    weights[s] = most == -INFINITY ? 0 : std::exp(weights[s] - most);
    sum += weights[s];
  }
  for (int64_t s = 0; s < visible && sum != 0; ++s) {
    weights[s] /= sum;
  }
}

}  // namespace

// Room for the weights of one query.
size_t custom_sdpa_scratch(Value* const* args) {
  const Tensor& key = *args[1]->as_tensor();
  return key.rank() < 2 ? 0 : static_cast<size_t>(key.size(1)) * sizeof(float);
}

// Attention of queries from position `start` on over the first keys, as many as there are positions
// then; sequence before heads. A causal query sees no key behind its own position.
Status custom_sdpa(KernelContext& context, const Tensor& query, const Tensor& key,
                   const Tensor& value, int64_t start, const Tensor* mask, double, bool causal,
                   Optional<double> scale_given, Tensor& out) {
  CRESSET_TRY(check(context, query, key, value, start, mask));
  const AttentionSizes sizes{query.size(0), query.size(1),         query.size(2),
                             query.size(3), start + query.size(1), query.size(2) / key.size(2)};
  const float scale =
      static_cast<float>(scale_given.value_or(1 / std::sqrt(static_cast<double>(sizes.width))));
  void* memory = nullptr;
  CRESSET_TRY(context.scratch(static_cast<size_t>(key.size(1)) * sizeof(float), &memory));
  float* const weights = static_cast<float*>(memory);
  return dispatch_float_elements(context, query.dtype(), [&](auto e) {
    using E = decltype(e);
    if constexpr (std::is_same_v<typename E::Compute, float>) {
      if (key.dtype() != query.dtype() || value.dtype() != query.dtype()) {
        return context.fail(Status::kInvalidType, "key {} and value {} beside query {}",
                            key.dtype(), value.dtype(), query.dtype());
      }
      for (int64_t b = 0; b < sizes.batch; ++b) {
        for (int64_t l = 0; l < sizes.queries; ++l) {
          const int64_t visible = causal && mask == nullptr ? start + l + 1 : sizes.seen;
          for (int64_t h = 0; h < sizes.heads; ++h) {
            const auto at = [&](const Tensor& x, int64_t row, int64_t head) {
              return b * x.stride(0) + row * x.stride(1) + head * x.stride(2);
            };
            const int64_t kv = h / sizes.shared;
            attention_weights<E>(
                elements_of<E>(query) + at(query, l, h), query.stride(3),
                elements_of<E>(key) + at(key, 0, kv), key.stride(1), key.stride(3), sizes, visible,
                scale, mask == nullptr ? nullptr : mask->data<float>() + l * mask->stride(0),
                mask == nullptr ? 0 : mask->stride(1), weights);
            const auto v = elements_of<E>(value) + at(value, 0, kv);
            const auto to = elements_of<E>(out) + at(out, l, h);
            for (int64_t i = 0; i < sizes.width; ++i) {
              float sum = 0;
              for (int64_t s = 0; s < visible; ++s) {
                sum += weights[s] * v[s * value.stride(1) + i * value.stride(3)];
              }
              store(to, i * out.stride(3), sum);
            }
          }
        }
      }
      return Status::kOk;
    } else {
      return context.fail(Status::kInvalidType, "{} is not supported", query.dtype());
    }
  });
}

}  // namespace cresset::kernels::portable
