// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace hm::record {

inline constexpr size_t kMaxBuildIdBytes = 20;

// Which build a mapped file was.
struct BuildId {
  uint16_t misc = 0;            // PERF_RECORD_MISC_KERNEL, _USER: whose file it is
  int32_t pid = -1;             // -1 = the host; otherwise a guest's
  std::vector<std::byte> id{};  // at most kMaxBuildIdBytes
  std::string path{};

  bool operator==(const BuildId&) const = default;
};

// The payload of a HEADER_BUILD_ID record, which is also an entry of the feature section of that name.
Result<BuildId> decode_build_id(Bytes payload, uint16_t misc, bool swap);
// Appends the whole record.
Status encode_build_id(const BuildId& build_id, ByteWriter& out);

}  // namespace hm::record
