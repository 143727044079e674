// SPDX-License-Identifier: MIT
#include "view/exports/folded.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "view/exports/stacks.h"
#include "view/exports/text.h"

namespace hm::exports {
namespace {

std::string folded_name(std::string_view name) {
  std::string folded = one_line(name);
  std::ranges::replace(folded, ';', ':');
  return folded;
}

}  // namespace

Status write_folded(const Selection& selection, const Write& write) {
  const profile::Profile& profile = selection.profile;
  Stacks stacks(selection);
  Weights weights(selection);
  std::map<std::vector<uint32_t>, uint64_t> events;  // by thread and functions
  std::vector<uint32_t> key;
  for (size_t sample : selection.samples) {
    key = {profile.samples.thread[sample]};
    for (const Frame* frame : stacks.of(sample)) key.push_back(frame->function);
    events[key] += weights.of(sample);
  }
  // Threads with equal names are merged.
  std::vector<std::string> labels = stacks.labels();
  std::map<std::string, uint64_t> lines;
  for (const auto& [path, count] : events) {
    std::string line = folded_name(profile.threads[path.front()].comm);
    for (size_t i = 1; i < path.size(); ++i) line += ';' + folded_name(labels[path[i]]);
    lines[line] += count;
  }
  Pieces pieces(write);
  for (const auto& [stack, count] : lines) pieces << fmt::format("{} {}\n", stack, count);
  return pieces.finish();
}

}  // namespace hm::exports
