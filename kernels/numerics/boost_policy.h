// SPDX-FileCopyrightText: 2026 The Cresset Authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <boost/math/policies/policy.hpp>

namespace cresset::kernels::numerics {

namespace policies = boost::math::policies;

// Errors become infinities and NaN instead of exceptions; nothing is computed in long double.
using Quiet = policies::policy<policies::domain_error<policies::ignore_error>,
                               policies::pole_error<policies::ignore_error>,
                               policies::overflow_error<policies::ignore_error>,
                               policies::underflow_error<policies::ignore_error>,
                               policies::denorm_error<policies::ignore_error>,
                               policies::rounding_error<policies::ignore_error>,
                               policies::evaluation_error<policies::ignore_error>,
                               policies::indeterminate_result_error<policies::ignore_error>,
                               policies::promote_float<false>, policies::promote_double<false>>;

}  // namespace cresset::kernels::numerics
