// SPDX-License-Identifier: MIT
// The samples, as columns in order of time. Where a sample says more than where and who, it is in a Column,
// which knows "not measured".
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

// What a sample may say beside that, a Column each: X(NAME). More is in Samples::step_bytes and depth.
//
// time_ns
// period                events that this sample stands for
// cpu
// address               of the data; of the clock event computed (profile/clock_attribution.h)
// physical_address
// shared_address        where its memory is shared with other processes: a number that is the same in all of
//                       them, and that of the next byte is one more; loaded with the objects
// data_source           union perf_mem_data_src, perf_event_open(2)
// branch_index          the hardware's index of the newest branch (PERF_SAMPLE_BRANCH_HW_INDEX)
// latency_cycles        of the access (PERF_SAMPLE_WEIGHT)
// From the software PMU (record/extension.h):
// run_cycles            the time on the modelled machine since the run began
// access_bytes          this and the next also where the clock event's instruction tells
// access_kind           record::AccessKind
// next_line_hits        what would have become of a miss (record::WhatIf): 1 where it would have hit
// huge_page_hits        likewise
// reuse_lines           how many lines had missed the first level since its own did before
// reuse_lines_at_least  or how many at least
// l1_class              record::MissClass of the access's miss of the first level; likewise of those below
// l2_class
// l3_class
// load_replay           record::LoadReplay
// Of the heap block that holds the address:
// heap_start
// heap_bytes            as its allocator was asked for
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
  X(heap_start)              \
  X(heap_bytes)              \
  X(heap_site)

struct Samples {
  std::vector<uint32_t> event;            // index into Profile::events
  std::vector<uint32_t> thread;           // index into Profile::threads
  std::vector<uint32_t> location;         // index into Profile::locations: where the ip is, or waited
  std::vector<Slice> chain;               // of chain_locations
  std::vector<Slice> branch;              // of branches, or of left_functions: one of them is loaded
  std::vector<NewBranches> new_branches;  // with left_functions

#define HM_DECLARE(name) Column name;
  HM_SAMPLE_COLUMNS(HM_DECLARE)
#undef HM_DECLARE
  // How far the last misses of the sample's instruction were apart, in bytes as int64_t, the latest first.
  std::array<Column, record::kMissSteps> step_bytes;
  // How deep the line lay in its set's recency order, by number of sets (Sizes::range in profile/sizes.h).
  std::array<Column, record::kMostSetCounts> depth;

  // What lies at `address`; empty where not loaded.
  std::vector<uint32_t> object;  // index into Profile::objects
  std::vector<uint32_t> field;   // index into Profile::fields

  // Innermost first, the sampled place included; each caller is the place of its call.
  std::vector<uint32_t> chain_locations;
  // Newest first.
  std::vector<Branch> branches;
  // As little of the branches as a time line needs, oldest first: the functions that they left (index into
  // Profile::functions), inferred ones too (profile/missing_branches.h), and, where any were counted, the
  // cycles (record::BranchEntry::cycles).
  Blocks<uint32_t> left_functions;
  Blocks<uint16_t> branch_cycles;

  [[nodiscard]] size_t size() const { return event.size(); }
  // Every Column, always in the same order.
  [[nodiscard]] std::vector<Column*> columns() {
#define HM_ADDRESS(name) &(name),
    std::vector<Column*> all{HM_SAMPLE_COLUMNS(HM_ADDRESS)};
#undef HM_ADDRESS
    for (Column& column : step_bytes) all.push_back(&column);
    for (Column& column : depth) all.push_back(&column);
    return all;
  }
  // Empty where not recorded or not loaded.
  [[nodiscard]] Slice chain_of(size_t sample) const { return chain.empty() ? Slice() : chain[sample]; }
  [[nodiscard]] Slice branches_of(size_t sample) const { return branch.empty() ? Slice() : branch[sample]; }
};

}  // namespace hm::profile
