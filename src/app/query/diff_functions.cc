// SPDX-License-Identifier: MIT
#include "app/query/diff_functions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

#include "analysis/hotspots/grouping.h"
#include "app/query/row_names.h"
#include "base/hex.h"
#include "profile/event_counts.h"
#include "profile/filter.h"
#include "profile/lookup.h"
#include "symbol/object_code.h"
#include "symbol/source_name.h"

namespace hm::query {
namespace {

using hotspots::SortKey;
using symbol::source_name;

constexpr uint64_t kMaxSketchBytes = uint64_t{64} << 10;

// Samples of inlined code, by row and by inlined functions.
class InlinedParts {
 public:
  InlinedParts(const profile::Profile& profile, const symbol::Resolver& resolver,
               const std::vector<SortKey>& keys)
      : profile_(profile),
        resolver_(resolver),
        keys_(keys),
        grouping_(profile, resolver, keys, true, false),
        paths_(profile.locations.size()) {}

  void add(size_t sample) {
    const std::vector<std::string>& path = path_of(profile_.samples.location[sample]);
    if (path.empty()) return;
    uint32_t group = grouping_.group_of(sample);
    auto part = counts_.try_emplace({names_of(group, sample), path}, profile_.events.size()).first;
    part->second[profile_.samples.event[sample]].add(profile_.samples.period.at(sample));
  }

  // `totals`: counts of all samples, which show whether an event's samples have periods.
  void write(const profile::EventCounts& totals, diff::Recording& out) const {
    for (const auto& [part, counts] : counts_) {
      for (size_t event = 0; event < counts.size(); ++event) {
        const profile::EventCount& count = counts[event];
        if (count.samples == 0) continue;
        uint64_t weight = totals[event].estimated ? count.estimated.value_or(0) : count.samples;
        out.events[event].inlined[part] = {count.samples, weight};
      }
    }
  }

 private:
  const std::vector<std::string>& path_of(uint32_t location) {
    std::optional<std::vector<std::string>>& path = paths_[location];
    if (path) return *path;
    path.emplace();
    std::string own = source_name(profile_.functions[profile_.locations[location].function].name);
    for (const symbol::Frame& frame : profile::frames_at(profile_, resolver_, location)) {
      std::string name = source_name(frame.function);
      if (frame.inlined && !name.empty() && name != own) path->push_back(std::move(name));
    }
    return *path;
  }

  const diff::Names& names_of(uint32_t group, size_t sample) {
    auto [found, is_new] = names_.try_emplace(group);
    if (is_new) found->second = row_names(grouping_, keys_, sample);
    return found->second;
  }

  const profile::Profile& profile_;
  const symbol::Resolver& resolver_;
  const std::vector<SortKey>& keys_;
  hotspots::Grouping grouping_;
  std::vector<std::optional<std::vector<std::string>>> paths_;  // by location; source names, innermost first
  std::map<uint32_t, diff::Names> names_;                       // by group
  std::map<diff::InlinedPart, profile::EventCounts> counts_;
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
void add_origins(const profile::Profile& profile, const symbol::Resolver& resolver, diff::Recording& out) {
  std::unordered_set<uint32_t> sampled;
  for (uint32_t location : profile.samples.location) sampled.insert(profile.locations[location].function);
  for (uint32_t index : sampled) {
    const profile::FunctionRow& function = profile.functions[index];
    const symbol::Object* object = profile::object_of(profile, resolver, function.dso);
    if (object == nullptr || function.size == 0) continue;
    diff::FunctionOrigin origin = origin_of(function, *object);
    if (origin.line == 0 && origin.code.instructions == 0) continue;
    auto [kept, is_new] = out.origins.try_emplace(function.name, origin);
    if (!is_new && origin.code.instructions > kept->second.code.instructions)
      kept->second = std::move(origin);
  }
}

// Returns the objects with samples, and all objects with a recorded build ID, to include programs without
// samples.
std::set<const symbol::Object*> objects_of(const profile::Profile& profile,
                                           const symbol::Resolver& resolver) {
  std::set<const symbol::Object*> objects;
  for (uint32_t location : profile.samples.location)
    objects.insert(profile::object_of(profile, resolver, profile.locations[location].dso));
  for (const record::BuildId& each : profile.features.build_ids) {
    if (!each.id.empty() && each.path.starts_with('/'))
      objects.insert(&resolver.object(each.path, hex_of(each.id)));
  }
  objects.erase(nullptr);
  return objects;
}

bool names_any(const std::set<std::string>& names, const std::string& function) {
  auto shorter = std::string_view(function).substr(0, function.find('('));
  return names.contains(function) || names.contains(std::string(shorter));
}

}  // namespace

void add_functions(const profile::Profile& profile, const symbol::Resolver& resolver,
                   const std::vector<SortKey>& keys, diff::Recording& recording) {
  if (!recording.function_column()) return;
  InlinedParts parts(profile, resolver, keys);
  for (size_t sample = 0; sample < profile.samples.size(); ++sample) parts.add(sample);
  parts.write(profile::EventTotals(profile).counts(), recording);
  recording.knows_inlines = true;
  add_origins(profile, resolver, recording);
}

std::vector<std::string> source_names_of(const diff::Recording& recording) {
  std::set<std::string> names;
  std::optional<size_t> column = recording.function_column();
  for (const diff::Event& event : recording.events) {
    for (const auto& [row, count] : event.rows) {
      if (column) names.insert(source_name(row[*column]));
    }
  }
  return {names.begin(), names.end()};
}

void add_defined(const profile::Profile& profile, const symbol::Resolver& resolver,
                 const std::vector<std::string>& names, diff::Recording& recording) {
  std::set<std::string> missing(names.begin(), names.end());
  for (const std::string& name : source_names_of(recording)) missing.erase(name);
  if (missing.empty()) return;
  for (const symbol::Object* object : objects_of(profile, resolver)) {
    object->visit_functions([&](const std::string& function) {
      std::string name = source_name(function);
      if (names_any(missing, name)) recording.defined.insert(std::move(name));
    });
  }
}

}  // namespace hm::query
