// SPDX-License-Identifier: MIT
#include "view/exports/call_costs.h"

#include <algorithm>
#include <utility>

namespace hm::exports {

CallCosts::CallCosts(const Selection& selection)
    : selection_(selection), stacks_(selection), events_(events_of(selection)) {
  Weights weights(selection);
  std::vector<size_t> column(selection.profile.events.size());
  for (size_t i = 0; i < events_.size(); ++i) column[events_[i]] = i;
  total_.resize(events_.size());
  for (size_t sample : selection.samples) find_called(sample);
  is_called_.resize(functions_.size() + 1);
  for (size_t sample : selection.samples)
    add(sample, column[selection.profile.samples.event[sample]], weights.of(sample));
}

std::vector<CallCosts::Frame> CallCosts::chain_of(size_t sample) {
  std::vector<Frame> chain;
  std::vector<uint32_t> locations = stacks_.locations_of(sample);
  for (auto location = locations.rbegin(); location != locations.rend(); ++location) {
    const std::vector<Frame>& frames = frames_at(*location);
    chain.insert(chain.end(), frames.begin(), frames.end());
  }
  return chain;
}

const std::vector<CallCosts::Frame>& CallCosts::frames_at(uint32_t location) {
  auto [found, is_new] = frames_.try_emplace(location);
  if (!is_new) return found->second;
  std::vector<profile::WrittenFunction> functions =
      written_functions_at(selection_.profile, selection_.resolver, location);
  for (auto function = functions.rbegin(); function != functions.rend(); ++function) {
    uint32_t number = number_of(location, *function);
    bool in_file = function->file == functions_[number].file;
    found->second.push_back(
        {number, {selection_.profile.locations[location].address, in_file ? function->line : 0}});
  }
  return found->second;
}

uint32_t CallCosts::number_of(uint32_t location, const profile::WrittenFunction& function) {
  const profile::Location& place = selection_.profile.locations[location];
  if (auto known = symbols_.find(place.function); !function.inlined && known != symbols_.end())
    return known->second;
  auto [found, is_new] = numbers_.try_emplace({place.dso, function.name, function.file},
                                              static_cast<uint32_t>(functions_.size()));
  if (is_new)
    functions_.push_back(
        {function.name, selection_.profile.dsos[place.dso].path, function.file, place.address});
  if (!function.inlined) {
    symbols_[place.function] = found->second;
    functions_[found->second].address = selection_.profile.functions[place.function].start;
  }
  return found->second;
}

void CallCosts::find_called(size_t sample) {
  std::vector<Frame> chain = chain_of(sample);
  is_called_.resize(functions_.size());
  for (size_t i = 1; i < chain.size(); ++i) is_called_[chain[i].function] = true;
}

void CallCosts::add(size_t sample, size_t column, uint64_t weight) {
  std::vector<Frame> chain = chain_of(sample);
  total_[column] += weight;
  Costs& self = functions_[chain.back().function].positions[chain.back().position].self;
  self.resize(events_.size());
  self[column] += weight;
  if (is_called_[chain.front().function]) {
    uint32_t none =
        numbers_.try_emplace({UINT32_MAX, "", ""}, static_cast<uint32_t>(functions_.size())).first->second;
    if (none == functions_.size()) functions_.push_back({kNoCaller, "", "", 0});
    add_call({none, {}}, chain.front().function, column, weight);
  }
  std::vector<uint32_t> seen{chain.front().function};
  for (size_t i = 1; i < chain.size(); ++i) {
    uint32_t callee = chain[i].function;
    if (std::ranges::find(seen, callee) != seen.end()) continue;
    seen.push_back(callee);
    add_call(chain[i - 1], callee, column, weight);
  }
}

void CallCosts::add_call(const Frame& caller, uint32_t callee, size_t column, uint64_t weight) {
  CallCost& call = functions_[caller.function].positions[caller.position].calls[callee];
  ++call.samples;
  call.costs.resize(events_.size());
  call.costs[column] += weight;
}

}  // namespace hm::exports
