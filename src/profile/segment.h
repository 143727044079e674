// SPDX-License-Identifier: MIT
// A stretch of the recording's time, loaded by itself: several are, in parallel.
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
#include "profile/needs.h"
#include "profile/new_branches.h"
#include "profile/occupancy_series.h"
#include "profile/place_table.h"
#include "profile/process_table.h"
#include "profile/record_index.h"
#include "profile/sample_reads.h"
#include "profile/samples.h"
#include "profile/unnamed_threads.h"
#include "record/deferred_chain.h"

namespace hm::profile {

// What all segments share, while they are loaded.
struct Recording {
  const record::Reader& reader;
  const RecordIndex& index;  // in order of time
  const std::vector<Change>& changes;
  const record::DeferredChains& deferred_chains;
  const JitCode& jit_code;
  const FrameRuleTable* frame_rules = nullptr;  // nullptr where copies of stacks cannot be read
  // Not of Profile::events.
  std::optional<size_t> heap_site_event, occupancy_event;
  size_t named_threads = 0;  // the rows that the changes give
  Needs needs;
};

// Its samples, numbered by tables of its own.
struct Segment {
  Samples samples;  // `thread`: below Recording::named_threads a row, from there on one of `unnamed`
  PlaceNumbers places;
  UnnamedThreads unnamed;
  // Where Needs::branches are kFunctions: the places that they left, and the cycles, which are none where
  // all are 0.
  std::vector<uint32_t> left_places;
  std::vector<uint16_t> branch_cycles;
  LastStacks last_stacks;
  std::vector<HeapSite> heap_sites;  // places instead of locations
  std::vector<OccupancyAt> occupancy;
  SampleReads reads;
  std::vector<Interrupt> interrupts;  // of the clock event, by row of `samples`
  std::vector<TlbState> tlb_states;   // likewise
  uint64_t damaged_samples = 0;
  uint64_t samples_of_no_event = 0;
  uint64_t trace_bytes = 0;          // of hardware traces in samples, which are passed over
  uint64_t chains_without_user = 0;  // whose deferred part is not in the recording
};

}  // namespace hm::profile
