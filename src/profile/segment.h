// SPDX-License-Identifier: MIT
// A time interval of the recording that is loaded independently; several segments are loaded in parallel.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "profile/change.h"
#include "profile/clock_attribution.h"
#include "profile/frame_rule_table.h"
#include "profile/heap_sites.h"
#include "profile/jit_code.h"
#include "profile/location_table.h"
#include "profile/needs.h"
#include "profile/new_branches.h"
#include "profile/occupancy_series.h"
#include "profile/process_table.h"
#include "profile/record_index.h"
#include "profile/sample_reads.h"
#include "profile/samples.h"
#include "profile/unnamed_threads.h"
#include "record/deferred_chain.h"

namespace hm::profile {

// Data shared by all segments during loading.
struct Recording {
  const record::Reader& reader;
  const RecordIndex& index;  // in order of time
  const std::vector<Change>& changes;
  const record::DeferredChains& deferred_chains;
  const JitCode& jit_code;
  const FrameRuleTable* frame_rules = nullptr;  // nullptr if copies of stacks cannot be read
  // Events of the recording that are not in Profile::events.
  std::optional<size_t> heap_site_event, occupancy_event;
  size_t named_threads = 0;  // number of rows that the changes define
  Needs needs;
};

// The samples of a segment, numbered by its own tables.
struct Segment {
  Samples samples;  // `thread`: a row below Recording::named_threads; from there on an index into `unnamed`
  DsoOffsetNumbers places;
  UnnamedThreads unnamed;
  // If Needs::branches is kFunctions: the places that the branches left, and their cycles, empty if all are
  // 0.
  std::vector<uint32_t> left_places;
  std::vector<uint16_t> branch_cycles;
  LastStacks last_stacks;
  std::vector<HeapSite> heap_sites;  // with places instead of locations
  std::vector<OccupancyAt> occupancy;
  SampleReads reads;
  std::vector<SampledRegisters> interrupts;   // of the clock event, by row of `samples`
  std::vector<SampledRegisters> unaddressed;  // of precise samples without a data address, by row
  std::vector<TlbState> tlb_states;           // by row of `samples`
  uint64_t damaged_samples = 0;
  uint64_t samples_of_no_event = 0;
  uint64_t trace_bytes = 0;          // hardware traces in samples, which are skipped
  uint64_t chains_without_user = 0;  // chains with a deferred part that is missing in the recording
};

}  // namespace hm::profile
