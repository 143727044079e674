// SPDX-License-Identifier: MIT
// Table of the sources, one row each.
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

// `sampling` is null if events are counted.
using OpenSource = Result<std::unique_ptr<pmu::Source>> (*)(const MeasureOptions& options,
                                                            const SamplingOptions* sampling);

using OpenBeside = Result<std::unique_ptr<pmu::Source>> (*)(const MeasureOptions& options,
                                                            const SamplingOptions* sampling,
                                                            SourceKind chosen);

struct SourceRow {
  std::string_view word;   // name on the command line; empty: not selectable
  std::string_view title;  // title for the reason of the choice
  // Returns why a program cannot be run for a recording; null: any executable program can.
  std::optional<pmu::Refusal> (*refuse)(const std::string& program) = nullptr;
  OpenSource open = nullptr;  // opens the source if it is chosen
  // Opens the source to run beside `chosen`; returns a null pointer if the source is not needed.
  OpenBeside open_beside = nullptr;
};

// Returns the selectable sources first, in the order of SourceKind.
[[nodiscard]] std::span<const SourceRow> all_sources();
[[nodiscard]] const SourceRow& row_of(SourceKind kind);

// Returns nullopt if no source has this name, as for "auto".
[[nodiscard]] std::optional<SourceKind> source_named(std::string_view word);

// Returns a refusal, worded like a shell's, if the program cannot be executed. Returns nullopt if it can or
// there is no command.
[[nodiscard]] std::optional<pmu::Refusal> refuse_missing_program(const std::vector<std::string>& command);

// The source chosen for a measurement, and the sources that run beside it.
struct OpenSources {
  std::vector<std::unique_ptr<pmu::Source>> all;
  std::optional<pmu::Refusal> refusal;  // if set, there are no sources
  std::string_view title;               // of the first source
  std::string reason;  // reason for the choice of the first source; empty if the user chose it
};
[[nodiscard]] Result<OpenSources> open_sources(const MeasureOptions& options,
                                               const SamplingOptions* sampling);

}  // namespace hm::measure
