// SPDX-License-Identifier: MIT
// Which allocations of a run are observed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

struct AllocatorName {
  std::string name;  // sampling/function_names.h
  uint32_t size_argument = 1;
};

struct HeapOptions {
  bool observed = false;
  std::vector<AllocatorName> allocators;  // beside malloc and its like
};

// "palloc", "Arena::take", "MemoryContextAlloc:2": behind a colon stands which argument is the size, by
// default the first. kInvalidArgument for an empty name, or an argument that is not passed in a register.
Result<AllocatorName> parse_allocator(std::string_view text);

// kInvalidArgument where there are more than a session holds.
Status observe_heap(Session& session, const HeapOptions& options);

// The allocators that the user has named and that no program or library in the run has.
std::vector<std::string> missing_allocators(const Session& session);

}  // namespace hm::soft
