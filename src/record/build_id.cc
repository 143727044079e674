// SPDX-License-Identifier: MIT
#include "record/build_id.h"

#include <linux/perf_event.h>

#include <algorithm>

#include "record/perf_record.h"

namespace hm::record {
namespace {

constexpr size_t kStoredBuildIdBytes = 24;       // 20 for the id; then its size if misc has kMiscBuildIdSize
constexpr uint16_t kMiscBuildIdSize = 1U << 15;  // PERF_RECORD_MISC_BUILD_ID_SIZE in tools/perf

// Older records contain no size and pad the id with zeros.
size_t size_without_zeros(Bytes id) {
  size_t size = id.size();
  while (size > 0 && id[size - 1] == std::byte{0}) --size;
  return size == 0 ? 0 : std::max<size_t>(size, 16);
}

}  // namespace

Result<BuildId> decode_build_id(Bytes payload, uint16_t misc, bool swap) {
  ByteReader in(payload, swap);
  BuildId build_id{.misc = static_cast<uint16_t>(misc & ~kMiscBuildIdSize)};
  build_id.pid = static_cast<int32_t>(in.u32());
  Bytes stored = in.take(kStoredBuildIdBytes);
  build_id.path = in.text(in.remaining());
  if (!in.ok()) return make_error(ErrorCode::kDamaged, "a build id record is shorter than its fields");
  Bytes id = stored.first(kMaxBuildIdBytes);
  size_t size = (misc & kMiscBuildIdSize) != 0
                    ? std::min<size_t>(std::to_integer<size_t>(stored[kMaxBuildIdBytes]), kMaxBuildIdBytes)
                    : size_without_zeros(id);
  build_id.id.assign(id.begin(), id.begin() + static_cast<ptrdiff_t>(size));
  return build_id;
}

Status encode_build_id(const BuildId& build_id, ByteWriter& out) {
  ByteWriter payload;
  payload.u32(static_cast<uint32_t>(build_id.pid));
  size_t size = std::min(build_id.id.size(), kMaxBuildIdBytes);
  payload.append(Bytes(build_id.id).first(size));
  for (size_t i = size; i < kMaxBuildIdBytes; ++i) payload.u8(0);
  payload.u32(static_cast<uint32_t>(size));  // one byte for the size and three of padding
  append_name(payload, build_id.path);
  return append_record(out, kHeaderBuildId, build_id.misc | kMiscBuildIdSize, payload.bytes());
}

}  // namespace hm::record
