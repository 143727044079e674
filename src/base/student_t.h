// SPDX-License-Identifier: MIT
#pragma once

namespace hm {

// Returns the 97.5 % quantile of Student's t for `degrees` >= 1 degrees of freedom. Between the
// entries of its table, it is interpolated in 1 / degrees, which makes a confidence interval a little wider.
[[nodiscard]] double student_t(double degrees);

}  // namespace hm
