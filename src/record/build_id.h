// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace hm::record {

inline constexpr size_t kMaxBuildIdBytes = 20;

// Identifies the build of a mapped file.
struct BuildId {
  uint16_t misc = 0;            // PERF_RECORD_MISC_KERNEL or _USER: where the file is mapped
  int32_t pid = -1;             // -1 = the host; otherwise the process ID of a guest
  std::vector<std::byte> id{};  // at most kMaxBuildIdBytes
  std::string path{};

  bool operator==(const BuildId&) const = default;
};

// Decodes the payload of a HEADER_BUILD_ID record; the feature section of that name consists of such
// payloads.
Result<BuildId> decode_build_id(Bytes payload, uint16_t misc, bool swap);
// Appends the whole record, header included.
Status encode_build_id(const BuildId& build_id, ByteWriter& out);

}  // namespace hm::record
