// SPDX-License-Identifier: MIT
#include "analysis/diff/differences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>

namespace hm::diff {
namespace {

std::string command_line(const Recording& run) { return fmt::format("{}", fmt::join(run.command, " ")); }

// Properties of the processor as the program saw it.
std::string processor_of(const Recording& run) {
  return run.reproducible.empty() ? run.processor : run.reproducible;
}
std::string features_of(const Recording& run) {
  return run.reproducible.empty() ? run.processor_features : "";
}
std::string caches_of(const Recording& run) { return run.reproducible.empty() ? run.processor_caches : ""; }

std::string layout_of(const Recording& run) { return run.layout.empty() ? "usual" : run.layout; }

struct Property {
  const char* what;
  std::string (*of)(const Recording&);
  bool is_new = false;  // older recordings lack this property, so that its absence is no difference
  bool varies = false;  // the runs of one side may differ in it
};

// Sorted by influence on the counts.
constexpr std::array<Property, 12> kProperties{{
    {"processor", processor_of},
    {"processor features", features_of, true},
    {"processor caches", caches_of, true},
    {"PMU", [](const Recording& run) { return run.pmu; }},
    {"engine", [](const Recording& run) { return run.engine; }},
    {"machine", [](const Recording& run) { return run.machine; }},
    {"modelled cores", [](const Recording& run) { return run.cores; }, true},
    {"memory layout", layout_of, false, true},
    {"costs of cycles and waits", [](const Recording& run) { return run.costs; }, true},
    {"command", command_line},
    {"part of the run", [](const Recording& run) { return run.collected; }},
    {"recorder", [](const Recording& run) { return run.recorder; }},
}};

// Returns the distinct values, in order of appearance.
std::string joined(const Side& side, const std::function<std::string(const Recording&)>& of) {
  std::vector<std::string> values;
  for (const Recording& run : side.runs()) {
    std::string value = of(run);
    if (std::ranges::find(values, value) == values.end()) values.push_back(std::move(value));
  }
  return fmt::format("{}", fmt::join(values, " | "));
}

// Returns the distinct values in alphabetic order: runs that may differ may be in any order.
std::string sorted(const Side& side, const std::function<std::string(const Recording&)>& of) {
  std::set<std::string> values;
  for (const Recording& run : side.runs()) values.insert(of(run));
  return fmt::format("{}", fmt::join(values, " | "));
}

std::set<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

bool several(const Side& side, const Property& property) {
  return std::ranges::any_of(side.runs(), [&](const Recording& run) {
    return property.of(run) != property.of(side.runs().front());
  });
}

// Returns, for example, "avx512f avx512vl only before, erms only after".
std::string feature_difference(const std::string& before, const std::string& after) {
  std::set<std::string> b = words_of(before), a = words_of(after);
  auto only = [](const std::set<std::string>& one, const std::set<std::string>& other) {
    std::vector<std::string> left;
    std::ranges::set_difference(one, other, std::back_inserter(left));
    return left;
  };
  std::vector<std::string> parts;
  if (auto left = only(b, a); !left.empty())
    parts.push_back(fmt::format("{} only before", fmt::join(left, " ")));
  if (auto left = only(a, b); !left.empty())
    parts.push_back(fmt::format("{} only after", fmt::join(left, " ")));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

RecordingSide describe(const Side& side) {
  RecordingSide out;
  out.baseline = true;
  for (const Recording& run : side.runs()) {
    out.files.push_back(run.name);
    out.baseline = out.baseline && run.baseline;
    for (const std::string& remark : run.remarks) out.remarks.push_back(remark);
  }
  out.pmu = joined(side, [](const Recording& run) { return run.pmu; });
  out.engine = joined(side, [](const Recording& run) { return run.engine; });
  out.machine = joined(side, [](const Recording& run) { return run.machine; });
  out.command = joined(side, command_line);
  return out;
}

std::vector<Difference> find_differences(const Side& before, const Side& after) {
  std::vector<Difference> differences;
  for (const Property& property : kProperties) {
    const auto values_of = property.varies ? sorted : joined;
    Difference difference{property.what, values_of(before, property.of), values_of(after, property.of)};
    if (property.is_new && (difference.before.empty() || difference.after.empty())) continue;
    bool is_mixed = !property.varies && several(before, property);
    if (difference.before != difference.after || is_mixed) differences.push_back(std::move(difference));
  }
  return differences;
}

std::optional<std::string> processor_difference(const Side& before, const Side& after) {
  auto of = [](const Side& side, std::string Recording::*member) {
    return joined(side, [&](const Recording& run) { return run.*member; });
  };
  // Programs do not see the processor in reproducible runs.
  std::string defined = of(before, &Recording::reproducible);
  if (!defined.empty() && defined == of(after, &Recording::reproducible)) return std::nullopt;
  auto differs = [&](std::string Recording::*member) {
    std::string b = of(before, member), a = of(after, member);
    return !b.empty() && !a.empty() && b != a;
  };
  bool features = differs(&Recording::processor_features), caches = differs(&Recording::processor_caches);
  if (!differs(&Recording::processor) && !features && !caches) return std::nullopt;
  std::string text = fmt::format("before was measured on {} and after on {}",
                                 of(before, &Recording::processor), of(after, &Recording::processor));
  if (features) {
    text +=
        fmt::format("; features differ: {}", feature_difference(of(before, &Recording::processor_features),
                                                                of(after, &Recording::processor_features)));
  }
  if (caches) {
    text += fmt::format("; caches differ: {} before, {} after", of(before, &Recording::processor_caches),
                        of(after, &Recording::processor_caches));
  }
  return text +
         ". Libraries choose code by the processor, so counts may differ although the program did not change";
}

namespace {

std::string_view interval_text(const Side& before, const Side& after) {
  if (before.is_paired_with(after)) return "Student's interval of their differences in each memory layout";
  bool both = before.runs().size() > 1 && after.runs().size() > 1;
  return both ? "Welch's interval of their difference"
              : "Student's interval of their difference, as if both sides varied alike";
}

}  // namespace

std::vector<std::string> find_notes(const Side& before, const Side& after) {
  std::vector<std::string> notes;
  bool varies = !before.is_software() || !after.is_software() || before.has_random_layout() ||
                after.has_random_layout();
  bool repeated = before.runs().size() > 1 || after.runs().size() > 1;
  if (varies && !repeated) {
    notes.emplace_back(
        "one run of each side: changes of totals cannot be distinguished from noise, and intervals of rows cover sampling errors alone, not the variation between runs; give several runs of each side, separated by commas");
  }
  if (repeated) {
    auto runs = [](const Side& side) {
      size_t count = side.runs().size();
      return fmt::format("{} {}", count, count == 1 ? "run" : "runs");
    };
    notes.push_back(fmt::format("{} before, {} after: means, with {}", runs(before), runs(after),
                                interval_text(before, after)));
  }
  return notes;
}

}  // namespace hm::diff
