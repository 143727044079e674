// SPDX-License-Identifier: MIT
#include "app/query/diff_functions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/hex.h"
#include "profile/lookup.h"
#include "symbol/short_name.h"
#include "symbol/source_name.h"

namespace hm::query {
namespace {

using symbol::source_name;

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

// Returns the last component of a name, without parameters and template arguments.
std::string last_component(std::string_view name) {
  name = name.substr(0, name.find_first_of("(<"));
  size_t end = name.find_last_of(":.");
  return std::string(end == std::string_view::npos ? name : name.substr(end + 1));
}

// The wanted names, which may be short ones.
class WantedNames {
 public:
  explicit WantedNames(const std::set<std::string>& names) : names_(names) {
    for (const std::string& name : names) by_end_.emplace(last_component(name), name);
  }

  [[nodiscard]] bool has(const std::string& function) const {
    auto shorter = std::string_view(function).substr(0, function.find('('));
    if (names_.contains(function) || names_.contains(std::string(shorter))) return true;
    auto [begin, end] = by_end_.equal_range(last_component(function));
    return std::any_of(begin, end,
                       [&](const auto& each) { return symbol::is_short_name(each.second, function); });
  }

 private:
  const std::set<std::string>& names_;
  std::multimap<std::string, std::string> by_end_;
};

}  // namespace

std::vector<std::string> source_names_of(const diff::Recording& recording) {
  std::set<std::string> names;
  std::optional<size_t> column = recording.function_column();
  for (const diff::Event& event : recording.events) {
    for (const auto& [row, count] : event.rows) {
      if (column) names.insert(source_name(recording.plain_name(row[*column])));
    }
  }
  return {names.begin(), names.end()};
}

void add_defined(const profile::Profile& profile, const symbol::Resolver& resolver,
                 const std::vector<std::string>& names, diff::Recording& recording) {
  std::set<std::string> missing(names.begin(), names.end());
  for (const std::string& name : source_names_of(recording)) missing.erase(name);
  if (missing.empty()) return;
  const WantedNames wanted(missing);
  for (const symbol::Object* object : objects_of(profile, resolver)) {
    object->visit_functions([&](const std::string& function) {
      std::string name = source_name(function);
      if (wanted.has(name)) recording.defined.insert(std::move(name));
    });
  }
}

}  // namespace hm::query
