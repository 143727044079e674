// SPDX-License-Identifier: MIT
// Export to the gzip-compressed profile.proto of https://github.com/google/pprof (proto/profile.proto).
#pragma once

#include <cstdint>

#include "base/result.h"
#include "view/exports/export_selection.h"
#include "view/exports/pieces.h"
#include "view/exports/stacks.h"

namespace hm::exports {

struct PprofOptions {
  Names names;
  uint64_t time_ns = 0, duration_ns = 0;  // start (since 1970) and length of the recording; 0 = omitted
};

// Writes two sample types for each event: "EVENT_samples" and "EVENT". Their unit is "count", or
// "nanoseconds" for a clock. The first event is the default. Samples with equal stack, thread and object are
// merged and have the labels "thread", "pid" and "object". Addresses are relative to the mapped files,
// mappings begin at 0, and the program's mapping is the first.
[[nodiscard]] Status write_pprof(const Selection& selection, const Write& write);
[[nodiscard]] Status write_pprof(const Selection& selection, const Write& write, const PprofOptions& options);

}  // namespace hm::exports
