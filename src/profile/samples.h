// SPDX-License-Identifier: MIT
// The samples, as columns in order of time. Where a sample says more than where and who, it is in a Column,
// which knows "not measured".
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "profile/column.h"
#include "record/branch.h"
#include "record/extension.h"

namespace hm::profile {

// Part of a column of items: [offset, offset + count).
struct Slice {
  uint32_t offset = 0;
  uint32_t count = 0;
};

struct Branch {
  uint32_t from = 0;  // index of the location
  uint32_t to = 0;
  record::BranchEntry entry;
};

struct Samples {
  std::vector<uint32_t> event;     // index into Profile::events
  std::vector<uint32_t> thread;    // index into Profile::threads
  std::vector<uint32_t> location;  // index into Profile::locations: where the ip is, or waited
  std::vector<Slice> chain;        // of chain_locations
  std::vector<Slice> branch;       // of branches

  Column time_ns;
  Column period;  // events that this sample stands for
  Column cpu;
  Column address;  // of the data; of the clock event computed (profile/clock_attribution.h)
  Column physical_address;
  // Where its memory is shared with other processes: a number that is the same in all of them, and that of
  // the next byte is one more. Loaded with the objects.
  Column shared_address;
  Column data_source;     // union perf_mem_data_src, perf_event_open(2)
  Column latency_cycles;  // of the access (PERF_SAMPLE_WEIGHT)
  // From the software PMU (record/extension.h):
  Column virtual_cycles;
  Column access_bytes;  // this and the next also where the clock event's instruction tells
  Column access_kind;   // record::AccessKind
  // How far the last misses of the sample's instruction were apart, in bytes as int64_t, the latest first.
  std::array<Column, record::kMissSteps> step_bytes;
  // What would have become of a miss (record::WhatIf), 1 where it would have hit; and how many lines had
  // missed the first level since its own did before, or how many at least.
  Column next_line_hits;
  Column huge_page_hits;
  Column reuse_lines;
  Column reuse_lines_at_least;
  Column l1_class;  // record::MissClass of the access's miss of the first level; likewise of those below
  Column l2_class;
  Column l3_class;
  // Of the heap block that holds the address:
  Column heap_start;
  Column heap_bytes;  // as its allocator was asked for
  Column heap_site;   // index into Profile::heap_sites

  // What lies at `address`; empty where not loaded.
  std::vector<uint32_t> object;  // index into Profile::objects
  std::vector<uint32_t> field;   // index into Profile::fields

  // Innermost first, the sampled place included; each caller is the place of its call.
  std::vector<uint32_t> chain_locations;
  // Newest first.
  std::vector<Branch> branches;

  [[nodiscard]] size_t size() const { return event.size(); }
  // Empty where not recorded or not loaded.
  [[nodiscard]] Slice chain_of(size_t sample) const { return chain.empty() ? Slice() : chain[sample]; }
  [[nodiscard]] Slice branches_of(size_t sample) const { return branch.empty() ? Slice() : branch[sample]; }
};

}  // namespace hm::profile
