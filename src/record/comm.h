// SPDX-License-Identifier: MIT
// PERF_RECORD_COMM: a thread's name.
#pragma once

#include <cstdint>
#include <string_view>

#include "record/perf_record.h"

namespace hm::record {

struct Comm {
  uint32_t pid = 0;
  uint32_t tid = 0;
  std::string_view name;  // points into the recording
  bool by_exec = false;   // PERF_RECORD_MISC_COMM_EXEC in the misc field; encode_comm does not write it

  bool operator==(const Comm&) const = default;
};

Result<Comm> decode_comm(const Record& record);
void encode_comm(const Comm& comm, ByteWriter& payload);

}  // namespace hm::record
