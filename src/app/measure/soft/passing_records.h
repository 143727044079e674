// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "app/mapped_files.h"
#include "app/measure/soft/code_place.h"
#include "base/bytes.h"
#include "profile/address_space.h"
#include "record/features.h"
#include "record/record.h"

namespace hm::measure {

// Looks at the records on their way into the recording: the code that is mapped, what the processes are
// called, the first and the last moment.
class PassingRecords {
 public:
  // One whole record in this machine's byte order.
  void see(Bytes record);

  // The time span, and the build ids of all files whose code was mapped.
  void describe(record::Features& features) const;

  [[nodiscard]] CodePlace find(uint32_t pid, uint64_t address) const;

 private:
  struct Process {
    std::string name;
    profile::AddressSpace code;
  };

  void see_mapping(const record::Record& record);
  void see_name(const record::Record& record);
  void see_fork(const record::Record& record);
  void see_time(uint64_t time_ns);

  std::unordered_map<uint32_t, Process> processes_;
  app::MappedFiles files_;
  record::TimeSpan span_;
};

}  // namespace hm::measure
