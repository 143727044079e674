// SPDX-License-Identifier: MIT
#include "app/measure/sources.h"

#include <algorithm>
#include <array>

#include "app/measure/rows.h"
#include "app/measure/source_choice.h"
#include "base/program_path.h"
#include "pmu/linux/kernel.h"
#include "pmu/shell_status.h"

namespace hm::measure {
namespace {

constexpr std::array kSources{
    SourceRow{.word = "linux", .title = "the kernel's PMU", .open = open_kernels_pmu},
    SourceRow{.word = "soft",
              .title = "not by hardware",
              .refuse = refuse_for_software_pmu,
              .open = open_software_pmu},
    SourceRow{.word = "", .title = "the last-level cache", .open_beside = open_occupancy},
};

}  // namespace

std::span<const SourceRow> all_sources() { return kSources; }

const SourceRow& row_of(SourceKind kind) { return kSources[static_cast<size_t>(kind)]; }

std::optional<SourceKind> source_named(std::string_view word) {
  auto found = std::ranges::find(kSources, word, &SourceRow::word);
  if (found == kSources.end()) return std::nullopt;
  return static_cast<SourceKind>(found - kSources.begin());
}

std::optional<pmu::Refusal> refuse_missing_program(const std::vector<std::string>& command) {
  if (command.empty()) return std::nullopt;
  Result<std::string> program = find_program(command[0]);
  if (program) return std::nullopt;
  return pmu::Refusal{pmu::shell_status_of(program.error()), program.error().message};
}

Result<OpenSources> open_sources(const MeasureOptions& options, const SamplingOptions* sampling) {
  OpenSources opened;
  opened.refusal = refuse_missing_program(options.target.command);
  if (opened.refusal) return opened;
  event::Use use = sampling == nullptr ? event::Use::kCount : event::Use::kSample;
  Result<Choice> choice = choose_source(wished_source(options, sampling), options.events,
                                        measured_of(options.target, options.software.budget), use,
                                        linux_pmu::this_kernel(), options.modes);
  if (!choice) return choice.error();
  const SourceRow& row = row_of(choice->source);
  if (sampling != nullptr && row.refuse != nullptr && options.target.only_a_command())
    opened.refusal = row.refuse(options.target.command[0]);
  if (opened.refusal) return opened;
  Result<std::unique_ptr<pmu::Source>> chosen = row.open(options, sampling);
  if (!chosen) return chosen.error();
  opened.all.push_back(*std::move(chosen));
  for (const SourceRow& other : kSources) {
    if (&other == &row || other.open_beside == nullptr) continue;
    Result<std::unique_ptr<pmu::Source>> beside = other.open_beside(options, sampling, choice->source);
    if (!beside) return beside.error();
    if (*beside != nullptr) opened.all.push_back(*std::move(beside));
  }
  opened.title = row.title;
  opened.reason = choice->reason;
  return opened;
}

}  // namespace hm::measure
