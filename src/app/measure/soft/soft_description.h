// SPDX-License-Identifier: MIT
// Metadata of recordings made with the software PMU.
#pragma once

#include <string>
#include <vector>

#include "app/measure/soft/soft_result.h"
#include "pmu/source.h"
#include "record/event.h"
#include "record/features.h"

namespace hm::measure {

// Returns the events in perf's format: the contents of their samples, and their IDs.
[[nodiscard]] std::vector<record::EventDescription> describe_events(const std::vector<event::EventId>& ids,
                                                                    const soft::Session& session);

// Returns the caches of the modelled machine, for the CACHE feature.
[[nodiscard]] std::vector<record::CacheInfo> describe_caches(const model::MachineGeometry& geometry);

[[nodiscard]] record::CostSource cost_source_of(const SoftResult& result);

// Returns the assumptions of modelled cycle counts, in one sentence.
[[nodiscard]] std::string describe_cost_model(const SoftResult& result);

// Returns JSON for hardmeter's own feature with the data known before the run: the PMU, the program, the
// machine, and the cost model.
[[nodiscard]] std::string describe_machine(const SoftResult& result, const std::vector<std::string>& command);
// Returns the same during the run, with what was counted so far in the member "so_far".
[[nodiscard]] std::string describe_counted_so_far(const SoftResult& result,
                                                  const std::vector<std::string>& command);
// Returns the JSON of describe_machine() with the data known after the run, including exact totals.
[[nodiscard]] std::string describe_recorded(const SoftResult& result, const pmu::Outcome& outcome,
                                            const std::vector<std::string>& command);

// Describes the programs' memory layout; empty if it is the usual one.
[[nodiscard]] std::string describe_layout(const SoftResult& result);

// Describes how far sampling periods grew; empty if none grew.
[[nodiscard]] std::string describe_periods(const SoftResult& result);

// Returns a sentence for each missing or doubtful result.
[[nodiscard]] std::vector<std::string> describe_shortfalls(const soft::Totals& totals);
// Returns a sentence for each reason why processes continued natively.
[[nodiscard]] std::vector<std::string> describe_left(const soft::Totals& totals);
[[nodiscard]] std::string describe_outlived(const soft::Totals& totals);
[[nodiscard]] std::string describe_checking(const soft::Totals& totals);
[[nodiscard]] std::string describe_cut_short(const soft::Totals& totals);
[[nodiscard]] std::string describe_lost_flags(const soft::Totals& totals);
[[nodiscard]] std::string describe_without_frames(const soft::Totals& totals);
[[nodiscard]] std::string describe_lost_records(const soft::Totals& totals);
[[nodiscard]] std::string describe_unread(const soft::Totals& totals);
[[nodiscard]] std::string describe_unshared(const soft::Totals& totals);
[[nodiscard]] std::string describe_lost_pages(const soft::Totals& totals);

}  // namespace hm::measure
