// SPDX-License-Identifier: MIT
#pragma once

namespace hm {

// The 97.5 % quantile of Student's t; `degrees` >= 1 are rounded down to the next that its table has, which
// makes an interval a little wider.
[[nodiscard]] double student_t(double degrees);

}  // namespace hm
