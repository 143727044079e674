// SPDX-License-Identifier: MIT
#include "analysis/callers/frame_numbers.h"

#include <utility>

#include "profile/lookup.h"

namespace hm::callers {

const std::vector<uint32_t>& FrameNumbers::at(uint32_t location) {
  std::vector<uint32_t>& numbers = by_location_[location];
  if (numbers.empty()) {
    for (Frame& frame : frames_of(location)) numbers.push_back(number_of(std::move(frame)));
  }
  return numbers;
}

void FrameNumbers::add_callers(size_t sample, size_t most, std::vector<uint32_t>& path) {
  const profile::Samples& samples = profile_.samples;
  profile::Slice chain = samples.chain_of(sample);
  for (uint32_t i = 1; i < chain.count && path.size() < most; ++i) {  // entry 0 is the sampled location
    const std::vector<uint32_t>& frames = at(samples.chain_locations[chain.offset + i]);
    path.insert(path.end(), frames.begin(), frames.end());
  }
}

// Names the function with a symbol by its symbol, as the rest of the profile does, not by its debug
// information.
std::vector<FrameNumbers::Frame> FrameNumbers::frames_of(uint32_t location) const {
  const profile::Location& place = profile_.locations[location];
  const std::string& name = profile_.functions[place.function].name;
  if (!detail_.inlines && !detail_.lines) return {{.function = name, .dso = place.dso}};
  std::vector<Frame> frames;
  for (symbol::Frame& each : frames_at(profile_, resolver_, location)) {
    if (each.inlined && !detail_.inlines) continue;
    Frame frame{.function = name, .dso = place.dso, .inlined = each.inlined};
    if (each.inlined) frame.function = std::move(each.function);
    if (frame.function.empty()) frame.function = "[unknown]";
    if (detail_.lines) {
      frame.file = std::move(each.file);
      frame.line = each.line;
    }
    frames.push_back(std::move(frame));
  }
  return frames;
}

uint32_t FrameNumbers::number_of(Frame frame) {
  auto [found, is_new] = numbers_.try_emplace(std::move(frame), static_cast<uint32_t>(frames_.size()));
  if (is_new) frames_.push_back(&found->first);
  return found->second;
}

}  // namespace hm::callers
