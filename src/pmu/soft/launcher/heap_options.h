// SPDX-License-Identifier: MIT
// Options for observing a run's allocations.
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
  std::vector<AllocatorName> allocators;  // in addition to malloc and similar functions
};

// Parses "palloc", "Arena::take" or "MemoryContextAlloc:2": a colon precedes the number of the size argument,
// by default the first. Fails with kInvalidArgument for an empty name, or an argument that is not passed in a
// register.
Result<AllocatorName> parse_allocator(std::string_view text);

// Fails with kInvalidArgument if there are more allocators than a session holds.
Status observe_heap(Session& session, const HeapOptions& options);

// Returns the allocators that the user named and that no program or library in the run defines.
std::vector<std::string> missing_allocators(const Session& session);

}  // namespace hm::soft
