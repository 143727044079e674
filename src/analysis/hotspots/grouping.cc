// SPDX-License-Identifier: MIT
#include "analysis/hotspots/grouping.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "profile/lookup.h"

namespace hm::hotspots {
namespace {

constexpr uint32_t kUnseen = UINT32_MAX;
constexpr const char* kUntold = "[unknown]";

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
  add_part(samples.thread, profile.threads.size(),
           [](SortKey key) { return key == kThread || key == kProcess || key == kComm; });
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

uint32_t Grouping::group_of(size_t sample) {
  uint32_t group = 0;
  for (size_t i = 0; i < parts_.size(); ++i) {
    uint32_t number = number_in(parts_[i], sample);
    group = i == 0 ? number : groups_[i - 1].number(group, number);
  }
  return group;
}

uint32_t Grouping::number_in(Part& part, size_t sample) {
  uint32_t& number = part.numbers[part.column[sample]];
  if (number != kUnseen) return number;
  uint32_t combination = 0;
  for (size_t i = 0; i < part.keys.size(); ++i)
    combination = part.combinations[i].number(combination, number_of(part.keys[i], sample));
  return number = combination;
}

uint64_t Grouping::number_of(SortKey key, size_t sample) {
  const profile::Samples& samples = profile_.samples;
  uint32_t location = samples.location[sample];
  const profile::Thread& thread = profile_.threads[samples.thread[sample]];
  switch (key) {
    case SortKey::kFunction:
      return function_number(location);
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

std::string Grouping::text_of(SortKey key, size_t sample) const {
  const profile::Samples& samples = profile_.samples;
  uint32_t place = samples.location[sample];
  const profile::Location& location = profile_.locations[place];
  const profile::Thread& thread = profile_.threads[samples.thread[sample]];
  switch (key) {
    case SortKey::kFunction: {
      auto inlined = inlined_.find(place);
      bool is_inlined = inlined != inlined_.end() && !inlined->second.name.empty();
      return is_inlined ? inlined->second.name : profile_.functions[location.function].name;
    }
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
    case SortKey::kEvent:
      return profile_.events[samples.event[sample]].name;
    case SortKey::kObject:
      return samples.object.empty() ? kUntold : profile_.object_text(samples.object[sample]);
    case SortKey::kField:
      return samples.field.empty() ? kUntold : profile_.fields[samples.field[sample]].text;
    case SortKey::kType:
      return samples.field.empty() ? kUntold
                                   : profile_.types[profile_.fields[samples.field[sample]].type].layout.name;
    case SortKey::kSite:
      return sites_->text_of(sample);
    default:
      return sources_->text_of(key, sample);
  }
}

// An inlined function and the function with a symbol are one row if only one function of the object has that
// name: the compiler has inlined some calls and not the others.
uint64_t Grouping::function_number(uint32_t location) {
  constexpr uint64_t kOfText = uint64_t{1} << 32;
  const profile::Location& place = profile_.locations[location];
  if (!inlined_functions_) return place.function;
  const profile::InlinedFunction& inlined =
      inlined_.try_emplace(location, inlined_function_at(profile_, resolver_, location)).first->second;
  if (inlined.name.empty()) return place.function;
  std::string key = fmt::format("{} {}", place.dso, inlined.name);
  if (std::optional<uint32_t> function = function_named(key)) return *function;
  return kOfText + text_number(key);
}

std::optional<uint32_t> Grouping::function_named(const std::string& key) {
  if (by_name_.empty()) {
    for (uint32_t row = 0; row < profile_.functions.size(); ++row) {
      const profile::FunctionRow& function = profile_.functions[row];
      auto [found, is_new] = by_name_.try_emplace(fmt::format("{} {}", function.dso, function.name), row);
      if (!is_new) found->second.reset();
    }
  }
  auto found = by_name_.find(key);
  return found == by_name_.end() ? std::nullopt : found->second;
}

size_t Grouping::frames_of_function(size_t sample) const {
  auto inlined = inlined_.find(profile_.samples.location[sample]);
  return inlined == inlined_.end() ? SIZE_MAX : inlined->second.frames;
}

uint64_t Grouping::line_number(uint32_t location) {
  auto [found, is_new] = lines_.try_emplace(location);
  Line& line = found->second;
  if (is_new) {
    symbol::SourceLine place = inlined_lines_ ? line_at(profile_, resolver_, location)
                                              : outer_line_at(profile_, resolver_, location);
    std::string_view name = std::string_view(place.file).substr(place.file.rfind('/') + 1);
    bool known = place.line != 0;
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
