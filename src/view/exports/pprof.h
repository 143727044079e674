// SPDX-License-Identifier: MIT
// The gzip'ed profile.proto of https://github.com/google/pprof (proto/profile.proto).
#pragma once

#include "base/result.h"
#include "view/exports/pieces.h"
#include "view/exports/selection.h"

namespace hm::exports {

// Two sample types for each event: "EVENT_samples" and "EVENT", both of unit "count", a clock's of
// "nanoseconds"; the first event is the default. Samples with the same stack, thread and object are one, with
// labels "thread", "pid" and "object". Addresses are those in the mapped files; a mapping begins at 0, and
// the program's is the first.
[[nodiscard]] Status write_pprof(const Selection& selection, const Write& write);

}  // namespace hm::exports
