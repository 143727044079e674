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

// Finds the callers of samples whose stack the copying engine sends, by the unwind tables of the files that
// are mapped: so a recording has call chains, which any tool reads, and no stacks, which are large.
class StackUnwinder {
 public:
  // `attr`: of the samples as they are recorded. `passing` has seen each record before this does.
  StackUnwinder(const perf_event_attr& attr, const soft::Session& session, const PassingRecords& passing);

  // What is to be recorded of a record: of a sample, with its call chain; nothing of a stack. Valid until the
  // next call.
  Result<Bytes> add_to(Bytes record);

 private:
  struct Stack {
    uint64_t address = 0;  // of the first byte, where the stack pointer pointed
    std::vector<std::byte> bytes;
  };

  void keep(Bytes record);
  void find_callers(const record::Sample& sample);
  [[nodiscard]] const symbol::FrameRule* rule_in_file(const profile::Mapping& mapping,
                                                      uint64_t address) const;
  [[nodiscard]] const symbol::FrameRule* rule_at(const profile::NumberedSpace& code, uint64_t address);

  perf_event_attr recorded_;
  perf_event_attr sent_;
  uint64_t heap_site_id_;
  const PassingRecords& passing_;
  symbol::FileResolver resolver_;
  profile::AddressCache<const symbol::FrameRule*> known_;
  std::unordered_map<uint32_t, Stack> stacks_;  // by thread
  std::vector<uint64_t> chain_;                 // of the last sample, as it is recorded
  std::vector<std::byte> record_;
};

}  // namespace hm::measure
