// SPDX-License-Identifier: MIT
// ID_INDEX: the CPU and thread on which each event id was opened.
#pragma once

#include <cstdint>
#include <vector>

#include "record/perf_record.h"

namespace hm::record {

struct IdPlace {
  uint64_t id = 0;
  uint64_t ring = 0;  // index of the ring buffer that the event wrote to
  int64_t cpu = -1;   // -1 = any
  int64_t tid = -1;   // -1 = any

  bool operator==(const IdPlace&) const = default;
};

Result<std::vector<IdPlace>> decode_id_index(const Record& record);
void encode_id_index(const std::vector<IdPlace>& places, ByteWriter& payload);

}  // namespace hm::record
