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

// "palloc", "Arena::take", "MemoryContextAlloc:2": which argument is the size follows a colon, 1 where none
// does. kInvalidArgument for what is no name, or no argument that a register holds.
Result<AllocatorName> parse_allocator(std::string_view text);

// kInvalidArgument where there are more than a session holds.
Status observe_heap(Session& session, const HeapOptions& options);

// Those of the user's that no program or library which ran has.
std::vector<std::string> missing_allocators(const Session& session);

}  // namespace hm::soft
