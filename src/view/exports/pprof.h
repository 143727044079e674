// SPDX-License-Identifier: MIT
// The gzip'ed profile.proto of https://github.com/google/pprof (proto/profile.proto).
#pragma once

#include <cstdint>

#include "base/result.h"
#include "view/exports/pieces.h"
#include "view/exports/selection.h"
#include "view/exports/stacks.h"

namespace hm::exports {

struct PprofOptions {
  Names names;
  uint64_t time_ns = 0, duration_ns = 0;  // since 1970, when it began; 0: it is not said
};

// Two sample types for each event: "EVENT_samples" and "EVENT", both of unit "count", a clock's of
// "nanoseconds"; the first event is the default. Samples with the same stack, thread and object are one, with
// labels "thread", "pid" and "object". Addresses are those in the mapped files; a mapping begins at 0, and
// the program's is the first.
[[nodiscard]] Status write_pprof(const Selection& selection, const Write& write);
[[nodiscard]] Status write_pprof(const Selection& selection, const Write& write, const PprofOptions& options);

}  // namespace hm::exports
