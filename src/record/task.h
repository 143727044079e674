// SPDX-License-Identifier: MIT
// PERF_RECORD_FORK and PERF_RECORD_EXIT: a thread begins, a thread ends.
#pragma once

#include <cstdint>

#include "record/perf_record.h"

namespace hm::record {

struct Task {
  uint32_t pid = 0;
  uint32_t parent_pid = 0;
  uint32_t tid = 0;
  uint32_t parent_tid = 0;
  uint64_t time_ns = 0;

  bool operator==(const Task&) const = default;
};

Result<Task> decode_task(const Record& record);
void encode_task(const Task& task, ByteWriter& payload);

}  // namespace hm::record
