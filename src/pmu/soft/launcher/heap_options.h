// SPDX-License-Identifier: MIT
// Selects the allocations that are observed in a run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

struct AllocatorName {
  std::string name;  // format: sampling/function_names.h
  uint32_t size_argument = 1;
};

struct HeapOptions {
  bool observed = false;
  std::vector<AllocatorName> allocators;  // in addition to malloc and its relatives
};

// Parses a name such as "palloc", "Arena::take" or "MemoryContextAlloc:2". The number after the colon is the
// position of the size argument, 1 by default. Fails with kInvalidArgument if the name is empty or too long,
// or if that argument is not passed in a register.
Result<AllocatorName> parse_allocator(std::string_view text);

// Fails with kInvalidArgument if there are more allocators than a session holds.
Status observe_heap(Session& session, const HeapOptions& options);

// Returns the allocators named by the user that no program or library in the run defines.
std::vector<std::string> missing_allocators(const Session& session);

}  // namespace hm::soft
