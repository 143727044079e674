// SPDX-License-Identifier: MIT
#include "view/exports/stacks.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "symbol/name_in_file.h"

namespace hm::exports {
namespace {

constexpr const char* kUnnamedFunction = "[unknown]";

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

}  // namespace

const std::vector<Frame>& Stacks::at(uint32_t location) {
  std::vector<Frame>& frames = by_location_[location];
  if (frames.empty()) frames = frames_of(location);
  return frames;
}

std::vector<uint32_t> Stacks::locations_of(size_t sample) const {
  const profile::Samples& samples = selection_.profile.samples;
  // The chain's first entry is the sampled address. It is replaced by the sample's location, because the
  // instruction that waited may be another one.
  std::vector<uint32_t> locations{samples.location[sample]};
  profile::Slice chain = samples.chain_of(sample);
  for (uint32_t i = 1; i < chain.count; ++i) locations.push_back(samples.chain_locations[chain.offset + i]);
  return locations;
}

const std::vector<const Frame*>& Stacks::of(size_t sample) {
  stack_.clear();
  for (uint32_t location : locations_of(sample)) {
    for (const Frame& frame : at(location)) stack_.push_back(&frame);
  }
  std::ranges::reverse(stack_);
  return stack_;
}

std::vector<Frame> Stacks::frames_of(uint32_t location) {
  std::vector<symbol::Frame> found = profile::frames_at(selection_.profile, selection_.resolver, location);
  if (!names_.functions) found.erase(found.begin(), found.end() - 1);
  std::vector<Frame> frames;
  for (size_t i = 0; i < found.size(); ++i) {
    symbol::Frame& each = found[i];
    if (!names_.paths) each.file = file_name(each.file);
    bool is_outermost = i + 1 == found.size();
    uint32_t number = is_outermost
                          ? symbol_number(location, each.file)
                          : inlined_number(location, {std::move(each.function),
                                                      selection_.profile.locations[location].dso, each.file});
    frames.push_back(
        {number, location, static_cast<uint32_t>(found.size() - 1 - i), std::move(each.file), each.line});
  }
  return frames;
}

// The function's name is that of the symbol, as everywhere else, not that of the debug information.
uint32_t Stacks::symbol_number(uint32_t location, const std::string& file) {
  uint32_t row = selection_.profile.locations[location].function;
  auto [found, is_new] = by_symbol_.try_emplace(row, static_cast<uint32_t>(functions_.size()));
  if (is_new) {
    const profile::FunctionRow& function = selection_.profile.functions[row];
    std::string name = names_.functions ? function.name : profile::address_text(selection_.profile, function);
    functions_.push_back({name.empty() ? kUnnamedFunction : std::move(name), function.dso, file});
    origins_.push_back({location, false});
  }
  return found->second;
}

uint32_t Stacks::inlined_number(uint32_t location, Function function) {
  if (function.name.empty()) function.name = kUnnamedFunction;
  auto [found, is_new] = inlined_.try_emplace({function.name, function.dso, function.file},
                                              static_cast<uint32_t>(functions_.size()));
  if (is_new) {
    functions_.push_back(std::move(function));
    origins_.push_back({location, true});
  }
  return found->second;
}

std::vector<std::string> Stacks::labels() const {
  std::vector<std::string> labels;
  labels.reserve(functions_.size());
  std::map<std::pair<uint32_t, std::string_view>, std::vector<uint32_t>> same_names;
  for (const Function& each : functions_) {
    same_names[{each.dso, each.name}].push_back(static_cast<uint32_t>(labels.size()));
    labels.push_back(each.name);
  }
  for (const auto& [name, numbers] : same_names) {
    if (numbers.size() > 1) label_equal_names(numbers, labels);
  }
  return labels;
}

void Stacks::label_equal_names(const std::vector<uint32_t>& numbers, std::vector<std::string>& labels) const {
  std::vector<profile::FunctionFiles> files;
  files.reserve(numbers.size());
  for (uint32_t number : numbers) files.push_back(files_of(number));
  // The compiled file of an inlined function is unknown: it is in all that include it.
  bool has_inlined =
      std::ranges::any_of(numbers, [this](uint32_t number) { return origins_[number].inlined; });
  for (profile::FunctionFiles& each : files) {
    if (has_inlined) each.unit.clear();
  }
  std::vector<std::string> distinct = profile::distinct_files(files);
  if (!names_.paths) std::ranges::transform(distinct, distinct.begin(), file_name);
  std::set<std::string> all(distinct.begin(), distinct.end());
  for (size_t i = 0; i < numbers.size() && all.size() > 1; ++i) {
    std::string& label = labels[numbers[i]];
    if (!distinct[i].empty()) label = symbol::text_of({label, symbol::short_file(distinct[i], all)});
  }
}

profile::FunctionFiles Stacks::files_of(uint32_t number) const {
  const std::string& file = functions_[number].file;
  if (origins_[number].inlined) return {file, {}};
  return profile::files_of_function(selection_.profile, selection_.resolver, origins_[number].location);
}

}  // namespace hm::exports
