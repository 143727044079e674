// SPDX-License-Identifier: MIT
#include "analysis/hotspots/grouping.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "profile/lookup.h"

namespace hm::hotspots {
namespace {

constexpr uint32_t kUnseen = UINT32_MAX;
constexpr const char* kUnknown = "[unknown]";

}  // namespace

Grouping::Grouping(const profile::Profile& profile, const symbol::Resolver& resolver,
                   const std::vector<SortKey>& keys, bool inlined_lines, bool inlined_functions)
    : profile_(profile),
      resolver_(resolver),
      keys_(keys),
      inlined_lines_(inlined_lines),
      inlined_functions_(inlined_functions) {
  using enum SortKey;
  const profile::Samples& samples = profile.samples;
  add_part(samples.location, profile.locations.size(),
           [](SortKey key) { return key == kFunction || key == kLine || key == kIp || key == kDso; });
  if (std::ranges::find(keys, kCgroup) != keys.end()) cgroups_.emplace(profile.features);
  add_part(samples.thread, profile.threads.size(),
           [](SortKey key) { return key == kThread || key == kProcess || key == kComm || key == kCgroup; });
  if (!samples.object.empty())
    add_part(samples.object, profile.objects.size(), [](SortKey key) { return key == kObject; });
  if (!samples.field.empty())
    add_part(samples.field, profile.fields.size(), [](SortKey key) { return key == kField || key == kType; });
  add_part(samples.event, profile.events.size(), [](SortKey key) { return key == kEvent; });
  if (std::ranges::find(keys, kSite) != keys.end()) {
    sites_.emplace(profile, resolver);
    add_part(sites_->column(), sites_->values(), [](SortKey key) { return key == kSite; });
  }
  if (std::ranges::any_of(keys, is_of_data_source)) {
    sources_.emplace(profile);
    add_part(sources_->column(), sources_->values(), is_of_data_source);
  }
  if (!parts_.empty()) groups_.resize(parts_.size() - 1);
}

void Grouping::add_part(const std::vector<uint32_t>& column, size_t values, bool (*belongs)(SortKey)) {
  std::vector<SortKey> keys;
  std::ranges::copy_if(keys_, std::back_inserter(keys), belongs);
  if (keys.empty()) return;
  std::vector<Pairs> combinations(keys.size());
  parts_.push_back({column, std::move(keys), std::vector(values, kUnseen), std::move(combinations)});
}

bool Grouping::groups_functions(const std::vector<SortKey>& keys) {
  using enum SortKey;
  constexpr std::array kOthers{kDso, kThread, kProcess, kComm, kCgroup, kEvent};
  return std::ranges::find(keys, kFunction) != keys.end() && std::ranges::all_of(keys, [&](SortKey key) {
           return key == kFunction || std::ranges::find(kOthers, key) != kOthers.end();
         });
}

uint32_t Grouping::group_of(size_t sample) {
  return parts_.empty() ? 0 : with_other_parts(number_in(parts_.front(), sample), sample);
}

// The first part is that of the location.
void Grouping::add_calling_groups(size_t sample, uint32_t location, std::vector<CallingGroup>& groups) {
  Part& part = parts_.front();
  auto [found, is_new] = part.levels.try_emplace(location);
  std::vector<uint32_t>& numbers = found->second;
  if (is_new) {
    for (uint32_t level = 0; level < functions_at(location).size(); ++level)
      numbers.push_back(combination_of(part, {sample, location, level}));
  }
  for (uint32_t level = 0; level < numbers.size(); ++level)
    groups.push_back({with_other_parts(numbers[level], sample), {sample, location, level}});
}

uint32_t Grouping::with_other_parts(uint32_t group, size_t sample) {
  for (size_t i = 1; i < parts_.size(); ++i)
    group = groups_[i - 1].number(group, number_in(parts_[i], sample));
  return group;
}

uint32_t Grouping::number_in(Part& part, size_t sample) {
  uint32_t& number = part.numbers[part.column[sample]];
  if (number == kUnseen) number = combination_of(part, {sample, profile_.samples.location[sample], 0});
  return number;
}

uint32_t Grouping::combination_of(Part& part, const Origin& origin) {
  uint32_t combination = 0;
  for (size_t i = 0; i < part.keys.size(); ++i)
    combination = part.combinations[i].number(combination, number_of(part.keys[i], origin));
  return combination;
}

uint64_t Grouping::number_of(SortKey key, const Origin& origin) {
  const profile::Samples& samples = profile_.samples;
  auto [sample, location, level] = origin;
  const profile::Thread& thread = profile_.threads[samples.thread[sample]];
  switch (key) {
    case SortKey::kFunction:
      return function_number(origin);
    case SortKey::kLine:
      return line_number(location);
    case SortKey::kIp:
      return location;
    case SortKey::kDso:
      return profile_.locations[location].dso;
    case SortKey::kThread:
      return samples.thread[sample];
    case SortKey::kProcess:
      return uint64_t{thread.pid} << 32 | text_number(thread.comm);
    case SortKey::kComm:
      return text_number(thread.comm);
    case SortKey::kCgroup:
      return text_number(cgroups_->of(thread.pid));
    case SortKey::kEvent:
      return samples.event[sample];
    case SortKey::kObject:
      return text_number(profile_.object_text(samples.object[sample]));
    case SortKey::kField:
      return text_number(profile_.fields[samples.field[sample]].text);
    case SortKey::kType:
      return text_number(profile_.types[profile_.fields[samples.field[sample]].type].layout.name);
    case SortKey::kSite:
      return text_number(sites_->text_of(sample));
    default:
      return text_number(sources_->text_of(key, sample));
  }
}

std::string Grouping::text_of(SortKey key, const Origin& origin) const {
  const profile::Samples& samples = profile_.samples;
  auto [sample, place, level] = origin;
  const profile::Location& location = profile_.locations[place];
  const profile::Thread& thread = profile_.threads[samples.thread[sample]];
  switch (key) {
    case SortKey::kFunction:
      return functions_.at(place)[level].name;
    case SortKey::kLine:
      return lines_.at(place).text;
    case SortKey::kIp:
      return fmt::format("{:#x}", location.address);
    case SortKey::kDso:
      return std::string(profile_.dsos[location.dso].name());
    case SortKey::kThread:
      return fmt::format("{} ({})", thread.comm, thread.tid);
    case SortKey::kProcess:
      return fmt::format("{} ({})", thread.comm, thread.pid);
    case SortKey::kComm:
      return thread.comm;
    case SortKey::kCgroup:
      return cgroups_->of(thread.pid);
    case SortKey::kEvent:
      return profile_.events[samples.event[sample]].name;
    case SortKey::kObject:
      return samples.object.empty() ? kUnknown : profile_.object_text(samples.object[sample]);
    case SortKey::kField:
      return samples.field.empty() ? kUnknown : profile_.fields[samples.field[sample]].text;
    case SortKey::kType:
      return samples.field.empty() ? kUnknown
                                   : profile_.types[profile_.fields[samples.field[sample]].type].layout.name;
    case SortKey::kSite:
      return sites_->text_of(sample);
    default:
      return sources_->text_of(key, sample);
  }
}

const std::vector<profile::WrittenFunction>& Grouping::functions_at(uint32_t location) {
  auto [found, is_new] = functions_.try_emplace(location);
  if (!is_new) return found->second;
  if (inlined_functions_) return found->second = written_functions_at(profile_, resolver_, location);
  const std::string& name = profile_.functions[profile_.locations[location].function].name;
  return found->second = {{name, {}, false, SIZE_MAX}};
}

// An inlined function and the function with a symbol are one row if only one function of the object has that
// name: the compiler has inlined some calls and not the others. A just-in-time compiler compiles a function
// several times; these pieces of code are one row.
uint64_t Grouping::function_number(const Origin& origin) {
  constexpr uint64_t kOfText = uint64_t{1} << 32;
  const profile::Location& place = profile_.locations[origin.location];
  const profile::WrittenFunction& function = functions_at(origin.location)[origin.level];
  if (profile_.dsos[place.dso].is_named_jit())
    return kOfText + text_number(fmt::format("{} {}", place.dso, function.name));
  if (!function.inlined) return place.function;
  if (std::optional<uint32_t> symbol = symbol_of(place.dso, function)) return *symbol;
  return kOfText + text_number(fmt::format("{} {} {}", place.dso, function.name, function.file));
}

// Files distinguish functions of one name. Without files, the name must be unique.
std::optional<uint32_t> Grouping::symbol_of(uint32_t dso, const profile::WrittenFunction& function) {
  if (by_name_.empty()) {
    first_locations_.resize(profile_.functions.size());
    for (auto location = static_cast<uint32_t>(profile_.locations.size()); location-- > 0;)
      first_locations_[profile_.locations[location].function] = location;
    for (uint32_t row = 0; row < profile_.functions.size(); ++row) {
      const profile::FunctionRow& each = profile_.functions[row];
      by_name_[fmt::format("{} {}", each.dso, each.name)].push_back(row);
    }
  }
  auto found = by_name_.find(fmt::format("{} {}", dso, function.name));
  if (found == by_name_.end()) return std::nullopt;
  std::vector<uint32_t> same;
  for (uint32_t row : found->second) {
    const std::string& file = file_of_symbol(row);
    if (file == function.file || file.empty() || function.file.empty()) same.push_back(row);
  }
  return same.size() == 1 ? std::optional(same.front()) : std::nullopt;
}

const std::string& Grouping::file_of_symbol(uint32_t function) {
  auto [found, is_new] = symbol_files_.try_emplace(function);
  if (is_new) found->second = frames_at(profile_, resolver_, first_locations_[function]).back().file;
  return found->second;
}

profile::FunctionFiles Grouping::files_of(const Origin& origin) const {
  auto found = functions_.find(origin.location);
  if (found == functions_.end()) return {};
  const profile::WrittenFunction& function = found->second[origin.level];
  if (function.inlined) return {function.file, function.file};
  return files_of_function(profile_, resolver_, origin.location);
}

std::string Grouping::line_path_of(const Origin& origin) const {
  auto found = lines_.find(origin.location);
  return found == lines_.end() ? std::string() : found->second.path;
}

size_t Grouping::frames_of_function(size_t sample) const {
  auto found = functions_.find(profile_.samples.location[sample]);
  return found == functions_.end() ? SIZE_MAX : found->second.front().frames;
}

uint64_t Grouping::line_number(uint32_t location) {
  auto [found, is_new] = lines_.try_emplace(location);
  Line& line = found->second;
  if (is_new) {
    symbol::SourceLine place = inlined_lines_ ? line_at(profile_, resolver_, location)
                                              : outer_line_at(profile_, resolver_, location);
    std::string_view name = std::string_view(place.file).substr(place.file.rfind('/') + 1);
    bool known = place.line != 0;
    if (known) line.path = place.file;
    // Falls back to the function if the line is unknown.
    line.text = known ? fmt::format("{}:{}", name, place.line)
                      : profile_.functions[profile_.locations[location].function].name;
    line.number = text_number(known ? fmt::format("{}:{}", place.file, place.line) : line.text);
  }
  return line.number;
}

uint64_t Grouping::text_number(const std::string& text) {
  return texts_.try_emplace(text, texts_.size()).first->second;
}

}  // namespace hm::hotspots
