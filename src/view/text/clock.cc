// SPDX-License-Identifier: MIT
#include "view/text/clock.h"

#include <fmt/format.h>

#include "view/text/format.h"

namespace hm::text {
namespace {

std::string_view words_of(symbol::Untold reason) {
  using enum symbol::Untold;
  switch (reason) {
    case kKernel:
      return "in the kernel";
    case kNoCode:
      return "in code that is not at hand";
    case kNotDecoded:
      return "where no instruction is known";
    case kEntry:
      return "at a function's entry";
    case kReturn:
      return "after a call";
    case kHalfDone:
      return "at a string instruction or gather";
    case kSeveralWays:
      return "where several ways meet";
    case kNoWay:
      return "where no way leads";
  }
  return "";
}

std::string clock_line(const profile::Event& event) {
  const profile::ClockAttribution& clock = *event.clock;
  std::string out = fmt::format(
      "# event {}: {} of {} attributed to the instruction before, {} data addresses computed of {} accesses",
      printable(event.name), grouped(clock.attributed), count_of(clock.samples, "sample", "samples"),
      grouped(clock.addresses), grouped(clock.accesses));
  std::string_view separator = "; the others stay: ";
  for (size_t reason = 0; reason < clock.stayed.size(); ++reason) {
    if (clock.stayed[reason] == 0) continue;
    out += fmt::format("{}{} {}", separator, grouped(clock.stayed[reason]),
                       words_of(static_cast<symbol::Untold>(reason)));
    separator = ", ";
  }
  return out + '\n';
}

}  // namespace

std::string clock_lines(const profile::Profile& profile) {
  std::string out;
  for (const profile::Event& event : profile.events) {
    if (event.clock) out += clock_line(event);
  }
  return out;
}

}  // namespace hm::text
