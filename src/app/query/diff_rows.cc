// SPDX-License-Identifier: MIT
#include "app/query/diff_rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "analysis/hotspots/grouping.h"
#include "app/query/function_labels.h"
#include "profile/event_counts.h"
#include "profile/lookup.h"
#include "symbol/object_code.h"
#include "symbol/source_name.h"

namespace hm::query {
namespace {

using hotspots::SortKey;

constexpr uint64_t kMaxSketchBytes = uint64_t{64} << 10;

// Removes the ID from "sort (1234)": it differs from run to run.
std::string without_id(SortKey key, const std::string& text) {
  if (key != SortKey::kThread && key != SortKey::kProcess) return text;
  return text.substr(0, text.rfind(" ("));
}

// Sums up the samples by row, and those of inlined code by row and inlined functions.
class Rows {
 public:
  Rows(const profile::Profile& profile, const symbol::Resolver& resolver, const std::vector<SortKey>& keys,
       const FunctionLabels* labels)
      : profile_(profile),
        keys_(keys),
        labels_(labels),
        grouping_(profile, resolver, keys, true, false),
        paths_(profile.locations.size()) {}

  void add(size_t sample) {
    const profile::Samples& samples = profile_.samples;
    const diff::Names& names = names_of(grouping_.group_of(sample), sample);
    std::optional<uint64_t> period = samples.period.at(sample);
    auto count = [&](auto& counts, const auto& row) {
      counts.try_emplace(row, profile_.events.size()).first->second[samples.event[sample]].add(period);
    };
    count(rows_, names);
    if (labels_ == nullptr) return;
    const std::vector<std::string>& path = path_of(samples.location[sample]);
    if (!path.empty()) count(inlined_, diff::InlinedPart{names, path});
  }

  void write(diff::Recording& out) const {
    const profile::EventTotals totals(profile_);  // show whether all samples of an event have periods
    for (size_t event = 0; event < profile_.events.size(); ++event) {
      bool has_periods = totals.counts()[event].estimated.has_value();
      write(rows_, event, has_periods, out.events[event].rows);
      write(inlined_, event, has_periods, out.events[event].inlined);
    }
  }

 private:
  template <typename Key>
  static void write(const std::map<Key, profile::EventCounts>& counts, size_t event, bool has_periods,
                    std::map<Key, diff::RowCount>& out) {
    for (const auto& [key, events] : counts) {
      const profile::EventCount& count = events[event];
      if (count.samples == 0) continue;
      out[key] = {count.samples, has_periods ? count.estimated.value_or(0) : count.samples};
    }
  }

  const std::vector<std::string>& path_of(uint32_t location) {
    std::optional<std::vector<std::string>>& path = paths_[location];
    if (!path) path = labels_->inlined_at(location);
    return *path;
  }

  const diff::Names& names_of(uint32_t group, size_t sample) {
    auto [found, is_new] = names_.try_emplace(group);
    if (!is_new) return found->second;
    hotspots::Grouping::Origin origin = grouping_.origin_of(sample);
    for (SortKey key : keys_) {
      found->second.push_back(key == SortKey::kFunction
                                  ? labels_->of(profile_.locations[origin.location].function)
                                  : without_id(key, grouping_.text_of(key, origin)));
    }
    return found->second;
  }

  const profile::Profile& profile_;
  const std::vector<SortKey>& keys_;
  const FunctionLabels* labels_;  // null if rows are not by function
  hotspots::Grouping grouping_;
  std::vector<std::optional<std::vector<std::string>>> paths_;  // by location: inlined functions
  std::map<uint32_t, diff::Names> names_;                       // by group
  std::map<diff::Names, profile::EventCounts> rows_;
  std::map<diff::InlinedPart, profile::EventCounts> inlined_;
};

diff::FunctionOrigin origin_of(const profile::FunctionRow& function, const symbol::Object& object) {
  diff::FunctionOrigin origin;
  symbol::SourceLine line = object.line_at(function.start);
  origin.file = line.file.substr(line.file.rfind('/') + 1);
  origin.line = line.line;
  if (auto code = symbol::x86_64_code(object, function.start, std::min(function.size, kMaxSketchBytes)))
    origin.code = symbol::sketch_of(*code);
  return origin;
}

// If several functions have equal names, keeps the largest.
void add_origins(const profile::Profile& profile, const symbol::Resolver& resolver,
                 const FunctionLabels& labels, diff::Recording& out) {
  std::set<uint32_t> sampled;
  for (uint32_t location : profile.samples.location) sampled.insert(profile.locations[location].function);
  for (uint32_t index : sampled) {
    const profile::FunctionRow& function = profile.functions[index];
    const symbol::Object* object = profile::object_of(profile, resolver, function.dso);
    if (object == nullptr || function.size == 0) continue;
    diff::FunctionOrigin origin = origin_of(function, *object);
    if (origin.line == 0 && origin.code.instructions == 0) continue;
    if (labels.has_file(index)) origin.name = symbol::source_name(function.name);
    auto [kept, is_new] = out.origins.try_emplace(labels.of(index), origin);
    if (!is_new && origin.code.instructions > kept->second.code.instructions)
      kept->second = std::move(origin);
  }
}

}  // namespace

void add_rows(const profile::Profile& profile, const symbol::Resolver& resolver,
              const std::vector<SortKey>& keys, diff::Recording& recording) {
  std::optional<FunctionLabels> labels;
  if (recording.function_column()) labels.emplace(profile, resolver);
  Rows rows(profile, resolver, keys, labels ? &*labels : nullptr);
  for (size_t sample = 0; sample < profile.samples.size(); ++sample) rows.add(sample);
  rows.write(recording);
  if (!labels) return;
  recording.knows_inlines = true;
  add_origins(profile, resolver, *labels, recording);
}

}  // namespace hm::query
