// SPDX-License-Identifier: MIT
#include "app/query/function_labels.h"

#include "profile/lookup.h"
#include "symbol/name_in_file.h"
#include "symbol/source_name.h"

namespace hm::query {

using symbol::source_name;

FunctionLabels::FunctionLabels(const profile::Profile& profile, const symbol::Resolver& resolver)
    : profile_(profile), resolver_(resolver), inlined_(profile.locations.size()) {
  std::vector<bool> seen(profile.locations.size());
  for (uint32_t location : profile.samples.location) {
    if (!seen[location]) read_location(location);
    seen[location] = true;
  }
}

void FunctionLabels::read_location(uint32_t location) {
  const profile::Location& place = profile_.locations[location];
  auto [file, is_new] = start_files_.try_emplace(place.function);
  if (is_new) {
    file->second = start_file_of(place.function);
    if (!file->second.empty())
      files_[{place.dso, source_name(profile_.functions[place.function].name)}].insert(file->second);
  }
  for (const symbol::Frame& frame : profile::frames_at(profile_, resolver_, location)) {
    std::string name = frame.inlined ? source_name(frame.function) : std::string();
    if (name.empty()) continue;
    if (!frame.file.empty()) files_[{place.dso, name}].insert(frame.file);
    inlined_[location].push_back({std::move(name), frame.file});
  }
}

std::string FunctionLabels::start_file_of(uint32_t function) const {
  const profile::FunctionRow& row = profile_.functions[function];
  const symbol::Object* object = profile::object_of(profile_, resolver_, row.dso);
  return object == nullptr || row.size == 0 ? std::string() : object->line_at(row.start).file;
}

std::optional<std::string> FunctionLabels::with_file(uint32_t dso, const std::string& source_name,
                                                     const std::string& file) const {
  auto files = files_.find({dso, source_name});
  if (file.empty() || files == files_.end() || files->second.size() < 2) return std::nullopt;
  return symbol::text_of({source_name, symbol::short_file(file, files->second)});
}

std::string FunctionLabels::of(uint32_t function) const {
  const profile::FunctionRow& row = profile_.functions[function];
  auto file = start_files_.find(function);
  std::optional<std::string> label =
      file == start_files_.end() ? std::nullopt : with_file(row.dso, source_name(row.name), file->second);
  return label.value_or(row.name);
}

bool FunctionLabels::has_file(uint32_t function) const {
  return of(function) != profile_.functions[function].name;
}

std::vector<std::string> FunctionLabels::inlined_at(uint32_t location) const {
  const profile::Location& place = profile_.locations[location];
  std::string own = source_name(of(place.function));
  std::vector<std::string> names;
  for (const InlinedFunction& each : inlined_[location]) {
    std::string name = with_file(place.dso, each.name, each.file).value_or(each.name);
    if (name != own) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace hm::query
