// SPDX-License-Identifier: MIT
// What a recording of the software PMU says of itself.
#pragma once

#include <string>
#include <vector>

#include "app/measure/soft/result.h"
#include "pmu/source.h"
#include "record/event.h"
#include "record/features.h"

namespace hm::measure {

// The events as perf knows them: what their samples hold, and under which ids.
[[nodiscard]] std::vector<record::EventDescription> describe_events(const std::vector<event::EventId>& ids,
                                                                    const soft::Session& session);

// Of the modelled machine, for the CACHE feature.
[[nodiscard]] std::vector<record::CacheInfo> describe_caches(const model::MachineGeometry& geometry);

// What a modelled cycle count assumes, in one sentence.
[[nodiscard]] std::string describe_cost_model(const model::Latencies& latencies);

// JSON for hardmeter's own feature, as far as it is known before the run: the PMU, the program, the machine,
// the cost model.
[[nodiscard]] std::string describe_machine(const SoftResult& result, const std::vector<std::string>& command);
// And after it, with the exact totals.
[[nodiscard]] std::string describe_recorded(const SoftResult& result, const pmu::Outcome& outcome,
                                            const std::vector<std::string>& command);

// How far sampling periods grew; empty where none did.
[[nodiscard]] std::string describe_periods(const SoftResult& result);

// What is missing or to be doubted: a sentence each.
[[nodiscard]] std::vector<std::string> describe_shortfalls(const soft::Totals& totals);
// Which processes went on natively, and why.
[[nodiscard]] std::vector<std::string> describe_left(const soft::Totals& totals);
[[nodiscard]] std::string describe_cut_short(const soft::Totals& totals);
[[nodiscard]] std::string describe_lost_flags(const soft::Totals& totals);
[[nodiscard]] std::string describe_without_frames(const soft::Totals& totals);
[[nodiscard]] std::string describe_lost_records(const soft::Totals& totals);
[[nodiscard]] std::string describe_unread(const soft::Totals& totals);
[[nodiscard]] std::string describe_unshared(const soft::Totals& totals);
[[nodiscard]] std::string describe_lost_pages(const soft::Totals& totals);

}  // namespace hm::measure
