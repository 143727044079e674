// SPDX-License-Identifier: MIT
#include "view/text/progress_text.h"

#include <fmt/format.h>

#include "view/text/format.h"

namespace hm::text {
namespace {

double in_seconds(uint64_t ns) { return static_cast<double>(ns) / 1e9; }

// The elapsed time, and how far the program has come: of an earlier run, or in its own time.
std::string elapsed(const pmu::Progress& progress) {
  std::string text = fmt::format("{:.1f} s", in_seconds(progress.elapsed_ns));
  if (progress.part)
    return text + fmt::format(" ({:.0f} % of the last run's instructions)", 100 * *progress.part);
  constexpr uint64_t kMinNs = 100'000'000;
  if (progress.own_ns.value_or(0) >= kMinNs)
    return text + fmt::format(" (about {:.1f} s natively)", in_seconds(*progress.own_ns));
  return text;
}

// Returns an empty text if there is no budget.
std::string cost_text(const pmu::Progress& progress) {
  if (!progress.cost || !progress.budget) return {};
  return fmt::format("cost at most {:.1f} % of {:g} %", 100 * *progress.cost, 100 * *progress.budget);
}

}  // namespace

std::string waiting_text(const pmu::Progress& progress) {
  constexpr uint64_t kLongNs = 15'000'000'000;
  std::string text = "no samples yet";
  if (progress.elapsed_ns < kLongNs) return text;
  if (!progress.budget) return text + ": the processes do not run, or none of the events happens";
  return text +
         fmt::format(
             ": the processes do not run, or too briefly in the measured time. A budget above {:g} % measures more (--budget)",
             100 * *progress.budget);
}

std::vector<std::string> cost_fields(const pmu::Progress& progress) {
  std::vector<std::string> fields{elapsed(progress)};
  if (std::string cost = cost_text(progress); !cost.empty()) fields.push_back(cost);
  if (progress.processes) fields.push_back(count_of(*progress.processes, "process", "processes"));
  fields.push_back(count_of(progress.samples, "sample", "samples"));
  if (progress.lost_records.value_or(0) != 0)
    fields.push_back(count_of(*progress.lost_records, "record lost", "records lost"));
  return fields;
}

std::vector<std::string> progress_fields(const pmu::Progress& progress, std::string_view hint) {
  std::vector<std::string> fields{elapsed(progress)};
  if (progress.remaining_ns)
    fields.push_back(fmt::format("about {:.0f} s left", in_seconds(*progress.remaining_ns)));
  if (!hint.empty()) fields.emplace_back(hint);
  if (progress.command_ended && progress.processes.value_or(0) > 0)
    fields.emplace_back("the command has ended, others go on (Ctrl-C stops)");
  if (progress.processes) fields.push_back(count_of(*progress.processes, "process", "processes"));
  fields.push_back(count_of(progress.samples, "sample", "samples"));
  if (std::string cost = cost_text(progress); !cost.empty()) fields.push_back(cost);
  if (progress.bytes) fields.push_back(fmt::format("{:.1f} MB", static_cast<double>(*progress.bytes) / 1e6));
  if (progress.lost_records.value_or(0) != 0)
    fields.push_back(count_of(*progress.lost_records, "record lost", "records lost"));
  uint64_t instructions = progress.instructions.value_or(0);
  if (instructions == 0) return fields;
  if (progress.l1_misses)
    fields.push_back(
        fmt::format("{:.1f} L1 misses per 1000 instructions",
                    static_cast<double>(*progress.l1_misses) * 1000 / static_cast<double>(instructions)));
  fields.push_back(count_of(instructions, "instruction", "instructions"));
  return fields;
}

}  // namespace hm::text
