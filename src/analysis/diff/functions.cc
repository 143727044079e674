// SPDX-License-Identifier: MIT
#include "analysis/diff/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "analysis/diff/same_names.h"
#include "symbol/source_name.h"

namespace hm::diff {
namespace {

using symbol::source_name;

// Thresholds for a pair: code below the minimum similarity belongs to another function. A lead below the
// minimum makes the pair ambiguous.
constexpr double kMinSimilarity = 0.6;
constexpr double kMinLead = 0.1;
constexpr uint32_t kMaxSizeRatio = 2;  // ratio of instruction counts
constexpr double kSameLine = 2;        // score for an equal file and line, above any code similarity

using NameSet = std::set<std::string>;

void for_each_function(std::span<const Recording> side,
                       const std::function<void(const std::string&)>& visit) {
  for (const Recording& run : side) {
    size_t column = *run.function_column();
    for (const Event& event : run.events) {
      for (const auto& [names, count] : event.rows) visit(names[column]);
    }
  }
}

NameSet functions_of(std::span<const Recording> side) {
  NameSet functions;
  for_each_function(side, [&](const std::string& function) { functions.insert(function); });
  return functions;
}

// Returns the source names of functions inlined on this side.
NameSet inlined_on(std::span<const Recording> side) {
  NameSet functions;
  for (const Recording& run : side) {
    for (const Event& event : run.events) {
      for (const auto& [part, count] : event.inlined)
        functions.insert(part.functions.begin(), part.functions.end());
    }
  }
  return functions;
}

// Maps a source name to its display name: the function's name if only one function has this source name, else
// the source name itself.
class Labels {
 public:
  void add(std::span<const Recording> side) {
    for_each_function(side, [&](const std::string& function) {
      auto [source, is_new] = sources_.try_emplace(function);
      if (!is_new) return;
      source->second = source_name(function);
      families_[source->second].insert(function);
    });
  }
  [[nodiscard]] const std::string& of(const std::string& function) const {
    const auto& [source, family] = *families_.find(sources_.at(function));
    return family.size() == 1 ? *family.begin() : source;
  }
  // Returns nullptr if no row has this source name.
  [[nodiscard]] const std::string* of_source(const std::string& source) const {
    auto family = families_.find(source);
    return family == families_.end() ? nullptr : &of(*family->second.begin());
  }
  [[nodiscard]] bool has(const std::string& function) const { return sources_.contains(function); }

 private:
  std::map<std::string, std::string> sources_;  // source name, by function
  std::map<std::string, NameSet> families_;     // functions, by source name
};

// Sums up the rows of clones. The largest clone provides the origin.
void add_up_clones(const Labels& labels, Recording& run) {
  size_t column = *run.function_column();
  run.rename_rows([&](const Names& names) { return with_function(names, column, labels.of(names[column])); });
  std::map<std::string, FunctionOrigin> origins;
  for (auto& [function, origin] : run.origins) {
    if (!labels.has(function)) continue;
    FunctionOrigin& kept = origins[labels.of(function)];
    if (kept.file.empty() || origin.code.instructions > kept.code.instructions) kept = std::move(origin);
  }
  run.origins = std::move(origins);
}

// Turns the inlined parts of `functions` (source names) into rows. If a part contains several of the
// functions, the innermost one receives it, as it would if all had symbols.
void make_rows_of_inlined(const NameSet& functions, const Labels& labels, Recording& run) {
  size_t column = *run.function_column();
  for (Event& event : run.events) {
    std::map<InlinedPart, RowCount> kept;
    for (const auto& [part, count] : event.inlined) {
      auto found =
          std::ranges::find_if(part.functions, [&](const auto& each) { return functions.contains(each); });
      if (found == part.functions.end()) {
        kept.emplace(part, count);
        continue;
      }
      Names names = with_function(part.row, column, *labels.of_source(*found));
      RowCount &from = event.rows[part.row], &to = event.rows[names];
      from.samples -= std::min(from.samples, count.samples);
      from.weight -= std::min(from.weight, count.weight);
      to.samples += count.samples;
      to.weight += count.weight;
      if (from.samples == 0) event.rows.erase(part.row);
      RowCount& rest = kept[{std::move(names), {part.functions.begin(), found}}];
      rest.samples += count.samples;
      rest.weight += count.weight;
    }
    std::erase_if(kept, [](const auto& part) { return part.first.functions.empty(); });
    event.inlined = std::move(kept);
  }
}

// Returns the source names of functions that are only inlined on `side` but have rows on `other`.
NameSet inlined_only(std::span<const Recording> side, std::span<const Recording> other) {
  NameSet own, result;
  for (const std::string& function : functions_of(side)) own.insert(source_name(function));
  NameSet inlined = inlined_on(side);
  for (const std::string& function : functions_of(other)) {
    std::string source = source_name(function);
    if (!own.contains(source) && inlined.contains(source)) result.insert(source);
  }
  return result;
}

const FunctionOrigin* origin_of(std::span<const Recording> side, const std::string& function) {
  for (const Recording& run : side) {
    auto found = run.origins.find(function);
    if (found != run.origins.end()) return &found->second;
  }
  return nullptr;
}

struct Candidate {
  std::string function;
  const FunctionOrigin* origin;
};

// Returns functions of `side` that have neither rows nor, as far as known, code on the other side.
std::vector<Candidate> without_counterpart(std::span<const Recording> side,
                                           std::span<const Recording> other) {
  NameSet known = inlined_on(other);
  for (const Recording& run : other) {
    known.insert(run.defined.begin(), run.defined.end());
    for (const auto& [function, origin] : run.origins) known.insert(source_name(run.plain_name(function)));
  }
  NameSet others = functions_of(other);
  std::vector<Candidate> candidates;
  for (const std::string& function : functions_of(side)) {
    const FunctionOrigin* origin = origin_of(side, function);
    std::string plain = origin != nullptr && !origin->name.empty() ? origin->name : source_name(function);
    if (origin != nullptr && !others.contains(function) && !known.contains(plain))
      candidates.push_back({function, origin});
  }
  return candidates;
}

double likeness(const FunctionOrigin& a, const FunctionOrigin& b) {
  if (a.line != 0 && a.line == b.line && a.file == b.file) return kSameLine;
  auto [fewer, more] = std::minmax(a.code.instructions, b.code.instructions);
  return more > fewer * kMaxSizeRatio ? 0 : symbol::similarity(a.code, b.code);
}

// Returns the index of the candidate most similar to `one`; nullopt if no candidate leads clearly.
std::optional<size_t> most_like(const FunctionOrigin& one, const std::vector<Candidate>& candidates) {
  double best = 0, second = 0;
  size_t found = 0;
  for (size_t i = 0; i < candidates.size(); ++i) {
    double score = likeness(one, *candidates[i].origin);
    if (score > best) {
      second = std::exchange(best, score);
      found = i;
    } else {
      second = std::max(second, score);
    }
  }
  if (best < kMinSimilarity || best - second < kMinLead) return std::nullopt;
  return found;
}

std::string renaming_note(const Candidate& before, const Candidate& after) {
  if (double score = likeness(*before.origin, *after.origin); score < kSameLine) {
    return fmt::format("{} of after is compared with {} of before: their code is alike ({:.0f} %)",
                       after.function, before.function, score * 100);
  }
  return fmt::format("{} of after is compared with {} of before: both begin at {}:{}", after.function,
                     before.function, before.origin->file, before.origin->line);
}

void rename_function(const std::string& from, const std::string& to, std::vector<Recording>& side) {
  for (Recording& run : side) {
    size_t column = *run.function_column();
    run.rename_rows(
        [&](const Names& names) { return names[column] == from ? with_function(names, column, to) : names; });
    run.other_names[to] = from;
  }
}

void match_renamed(MatchedSides& sides) {
  const std::vector<Candidate> before = without_counterpart(sides.before, sides.after);
  const std::vector<Candidate> after = without_counterpart(sides.after, sides.before);
  for (size_t i = 0; i < before.size(); ++i) {
    std::optional<size_t> match = most_like(*before[i].origin, after);
    if (!match || most_like(*after[*match].origin, before) != i) continue;
    rename_function(after[*match].function, before[i].function, sides.after);
    sides.notes.push_back(renaming_note(before[i], after[*match]));
  }
}

void match_inlined(const Labels& labels, MatchedSides& sides) {
  auto match = [&](std::vector<Recording>& side, const NameSet& functions, const char* which) {
    for (Recording& run : side) make_rows_of_inlined(functions, labels, run);
    for (const std::string& function : functions)
      sides.notes.push_back(
          fmt::format("{} is inlined {}: its row counts the inlined parts", function, which));
  };
  NameSet after = inlined_only(sides.after, sides.before), before = inlined_only(sides.before, sides.after);
  match(sides.after, after, "after");
  match(sides.before, before, "before");
}

}  // namespace

bool know_inlines(std::span<const Recording> before, std::span<const Recording> after) {
  return std::ranges::all_of(before, &Recording::knows_inlines) &&
         std::ranges::all_of(after, &Recording::knows_inlines);
}

MatchedSides match_functions(std::span<const Recording> before, std::span<const Recording> after) {
  MatchedSides sides{{before.begin(), before.end()}, {after.begin(), after.end()}, {}};
  if (!before.front().function_column()) return sides;
  make_names_equal(sides.before, sides.after);
  Labels labels;
  labels.add(sides.before);
  labels.add(sides.after);
  for (auto* side : {&sides.before, &sides.after}) {
    for (Recording& run : *side) add_up_clones(labels, run);
  }
  if (know_inlines(before, after)) match_inlined(labels, sides);
  match_renamed(sides);
  return sides;
}

}  // namespace hm::diff
