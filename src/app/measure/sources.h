// SPDX-License-Identifier: MIT
// The sources, one row each.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/measure/options.h"
#include "base/result.h"
#include "pmu/source.h"

namespace hm::measure {

// `sampling`: null where events are counted.
using OpenSource = Result<std::unique_ptr<pmu::Source>> (*)(const MeasureOptions& options,
                                                            const SamplingOptions* sampling);

using OpenBeside = Result<std::unique_ptr<pmu::Source>> (*)(const MeasureOptions& options,
                                                            const SamplingOptions* sampling,
                                                            SourceKind chosen);

struct SourceRow {
  std::string_view word;   // by which a user names it; empty: it is not to be chosen
  std::string_view title;  // what a reason why it was chosen stands behind
  // Why a program cannot be run for a recording; null: any can that can be executed.
  std::optional<pmu::Refusal> (*refuse)(const std::string& program) = nullptr;
  OpenSource open = nullptr;  // where it is chosen
  // Where `chosen` is: gives it where it is to run beside that, else a null pointer.
  OpenBeside open_beside = nullptr;
};

// Those that can be chosen come first, in the order of SourceKind.
[[nodiscard]] std::span<const SourceRow> all_sources();
[[nodiscard]] const SourceRow& row_of(SourceKind kind);

// nullopt where no source has that name, as for "auto".
[[nodiscard]] std::optional<SourceKind> source_named(std::string_view word);

// Where there is no such program to execute, as a shell says it; nullopt where all is well or there is no
// command.
[[nodiscard]] std::optional<pmu::Refusal> refuse_missing_program(const std::vector<std::string>& command);

// The source that was chosen for a measurement, and those that run beside it.
struct OpenSources {
  std::vector<std::unique_ptr<pmu::Source>> all;
  std::optional<pmu::Refusal> refusal;  // then there are none
  std::string_view title;               // of the first
  std::string reason;                   // why it; empty where the user chose himself
};
[[nodiscard]] Result<OpenSources> open_sources(const MeasureOptions& options,
                                               const SamplingOptions* sampling);

}  // namespace hm::measure
