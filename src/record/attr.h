// SPDX-License-Identifier: MIT
#pragma once

#include <linux/perf_event.h>

#include "base/bytes.h"
#include "base/result.h"

namespace hm::record {

// Decodes a perf_event_attr of any version. Fields that an older attr lacks are zero, and unknown fields of a
// newer attr are dropped. The result's attr.size is the size of the struct in this build. Fails with kDamaged
// if the attr is smaller than the first published version.
Result<perf_event_attr> decode_attr(Bytes bytes, bool swap);

// Returns the size in bytes that the attr at the start of `bytes` declares; 0 if that size is impossible.
[[nodiscard]] size_t stored_attr_bytes(Bytes bytes, bool swap);

}  // namespace hm::record
