// SPDX-License-Identifier: MIT
#pragma once

#include <linux/perf_event.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "app/measure/soft/passing_records.h"
#include "base/bytes.h"
#include "base/result.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/ring/stack_record.h"
#include "profile/address_cache.h"
#include "record/sample.h"
#include "symbol/file_resolver.h"

namespace hm::measure {

// Computes the call chains of samples from the stack copies that the copying engine sends, with the unwind
// tables of the mapped files. The recording then has call chains, which any tool reads, instead of large
// stacks.
class StackUnwinder {
 public:
  // `attr` describes the recorded samples. `passing` must observe each record before add_to() receives it.
  StackUnwinder(const perf_event_attr& attr, const soft::Session& session, const PassingRecords& passing);

  // Returns the record to write: a sample with its call chain, nothing for a stack, other records unchanged.
  // Valid until the next call.
  Result<Bytes> add_to(Bytes record);

 private:
  struct Stack {
    uint64_t address = 0;  // address of the first byte, the value of the stack pointer
    std::vector<std::byte> bytes;
  };

  void keep(Bytes record);
  void find_callers(const record::Sample& sample);
  [[nodiscard]] const symbol::Object& object_of(uint32_t file) const;
  [[nodiscard]] const symbol::FrameRule* rule_in_file(const profile::Mapping& mapping,
                                                      uint64_t address) const;
  [[nodiscard]] const symbol::FrameRule* rule_at(const profile::NumberedSpace& code, uint64_t address);

  perf_event_attr recorded_;
  perf_event_attr sent_;
  uint64_t heap_site_id_;
  const PassingRecords& passing_;
  symbol::FileResolver resolver_;
  mutable std::vector<const symbol::Object*> objects_;  // by the index of their path
  profile::AddressCache<const symbol::FrameRule*> known_;
  std::unordered_map<uint32_t, Stack> stacks_;  // by thread
  std::vector<uint64_t> chain_;                 // recorded chain of the last sample
  std::vector<std::byte> record_;
};

}  // namespace hm::measure
