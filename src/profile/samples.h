// SPDX-License-Identifier: MIT
// The samples as columns in order of time. Optional attributes are stored in a Column, which represents "not
// measured".
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "profile/blocks.h"
#include "profile/column.h"
#include "profile/new_branches.h"
#include "record/branch.h"
#include "record/extension.h"

namespace hm::profile {

struct Branch {
  uint32_t from = 0;  // index of the location
  uint32_t to = 0;
  record::BranchEntry entry;
};

// Optional attributes of a sample, one Column each: X(NAME). Samples::step_bytes and depth hold further ones.
//
// time_ns
// period                number of events that this sample represents
// cpu
// address               of the data; computed for the clock event (profile/clock_attribution.h)
// physical_address
// shared_address        location in memory shared between processes, as a number that is the same in all of
//                       them and grows by one per byte; loaded with the objects
// data_source           union perf_mem_data_src, perf_event_open(2)
// branch_index          the hardware's index of the newest branch (PERF_SAMPLE_BRANCH_HW_INDEX)
// latency_cycles        of the access (PERF_SAMPLE_WEIGHT)
// From the software PMU (record/extension.h):
// run_cycles            time on the modelled machine since the run began
// access_bytes          this and access_kind are also set if the clock event's instruction is known
// access_kind           record::AccessKind
// next_line_hits        1 if a miss would have hit with next-line prefetching (record::WhatIf)
// huge_page_hits        1 if a miss would have hit with huge pages
// reuse_lines           distinct lines that missed the first level since the last miss of this line
// reuse_lines_at_least  lower bound, if the exact number is unknown
// l1_class              record::MissClass of the miss in the first level; the next two: lower levels
// l2_class
// l3_class
// load_replay           record::LoadReplay
// by_kernel             1 if the kernel made the access in a system call; else not set
// Of the heap block that holds the address:
// heap_start
// heap_bytes            as requested from the allocator
// heap_site             index into Profile::heap_sites
#define HM_SAMPLE_COLUMNS(X) \
  X(time_ns)                 \
  X(period)                  \
  X(cpu)                     \
  X(address)                 \
  X(physical_address)        \
  X(shared_address)          \
  X(data_source)             \
  X(branch_index)            \
  X(latency_cycles)          \
  X(run_cycles)              \
  X(access_bytes)            \
  X(access_kind)             \
  X(next_line_hits)          \
  X(huge_page_hits)          \
  X(reuse_lines)             \
  X(reuse_lines_at_least)    \
  X(l1_class)                \
  X(l2_class)                \
  X(l3_class)                \
  X(load_replay)             \
  X(by_kernel)               \
  X(heap_start)              \
  X(heap_bytes)              \
  X(heap_site)

struct Samples {
  std::vector<uint32_t> event;     // index into Profile::events
  std::vector<uint32_t> thread;    // index into Profile::threads
  std::vector<uint32_t> location;  // index into Profile::locations: the ip, or the instruction that waited
  std::vector<Slice> chain;        // range of chain_locations
  std::vector<Slice> branch;       // range of branches, or of left_functions: only one of them is loaded
  std::vector<NewBranches> new_branches;  // only with left_functions

#define HM_DECLARE(name) Column name;
  HM_SAMPLE_COLUMNS(HM_DECLARE)
#undef HM_DECLARE
  // Address differences between the last misses of the sample's instruction, in bytes as int64_t, latest
  // first.
  std::array<Column, record::kMissSteps> step_bytes;
  // Depth of the line in its set's LRU order, by number of sets (Sizes::range in profile/recorded_sizes.h).
  std::array<Column, record::kMaxSetCounts> depth;

  // Data object at `address`; empty if not loaded.
  std::vector<uint32_t> object;  // index into Profile::objects
  std::vector<uint32_t> field;   // index into Profile::fields

  // Innermost first, including the sampled place; each caller is the address of its call instruction.
  std::vector<uint32_t> chain_locations;
  // Newest first.
  std::vector<Branch> branches;
  // The parts of the branches that a time line needs, oldest first. Holds the functions that they left (index
  // into Profile::functions), including inferred ones (profile/missing_branches.h), and the cycles
  // (record::BranchEntry::cycles) if any were measured.
  Blocks<uint32_t> left_functions;
  Blocks<uint16_t> branch_cycles;

  [[nodiscard]] size_t size() const { return event.size(); }
  // Returns the number of events that the sample represents: its period, 1 if that is unknown.
  [[nodiscard]] uint64_t events_of(size_t sample) const { return period.at(sample).value_or(1); }
  // Returns every Column, always in the same order.
  [[nodiscard]] std::vector<Column*> columns() {
#define HM_ADDRESS(name) &(name),
    std::vector<Column*> all{HM_SAMPLE_COLUMNS(HM_ADDRESS)};
#undef HM_ADDRESS
    for (Column& column : step_bytes) all.push_back(&column);
    for (Column& column : depth) all.push_back(&column);
    return all;
  }
  // Return an empty slice if not recorded or not loaded.
  [[nodiscard]] Slice chain_of(size_t sample) const { return chain.empty() ? Slice() : chain[sample]; }
  [[nodiscard]] Slice branches_of(size_t sample) const { return branch.empty() ? Slice() : branch[sample]; }
};

}  // namespace hm::profile
