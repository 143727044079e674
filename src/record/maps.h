// SPDX-License-Identifier: MIT
// THREAD_MAP and CPU_MAP: the recorded threads and CPUs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/perf_record.h"

namespace hm::record {

struct NamedThread {
  uint64_t tid = 0;
  std::string name;  // at most 15 characters

  bool operator==(const NamedThread&) const = default;
};

Result<std::vector<NamedThread>> decode_thread_map(const Record& record);
void encode_thread_map(const std::vector<NamedThread>& threads, ByteWriter& payload);

// Returns the CPUs in ascending order, without "any CPU". Accepts a list, a mask of 32- or 64-bit words, or a
// range.
Result<std::vector<uint32_t>> decode_cpu_map(const Record& record);
// Encodes the CPUs as a list.
void encode_cpu_map(const std::vector<uint32_t>& cpus, ByteWriter& payload);

}  // namespace hm::record
