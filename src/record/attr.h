// SPDX-License-Identifier: MIT
#pragma once

#include <linux/perf_event.h>

#include "base/bytes.h"
#include "base/result.h"

namespace hm::record {

// A perf_event_attr of any age: what an older one does not have is zero, what a newer one has more is left
// out; in the result, attr.size is that of the struct here. kDamaged where it is smaller than the first one
// published.
Result<perf_event_attr> decode_attr(Bytes bytes, bool swap);

// How many bytes the attr at the start of `bytes` says it has, 0 where that is impossible.
[[nodiscard]] size_t stored_attr_bytes(Bytes bytes, bool swap);

}  // namespace hm::record
