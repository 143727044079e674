// SPDX-License-Identifier: MIT
#include "view/text/recording_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "view/text/format.h"
#include "view/text/totals_text.h"
#include "view/text/verdict_text.h"

namespace hm::text {
namespace {

constexpr size_t kShownProblems = 5;

std::string lost_text(const profile::Lost& lost) {
  if (lost.records == 0 && lost.samples == 0) return "none";
  return fmt::format("{} that did not fit the buffer, {} that the hardware dropped",
                     count_of(lost.records, "record", "records"),
                     count_of(lost.samples, "sample", "samples"));
}

// The kernel's limit is the sysctl kernel.perf_event_max_sample_rate.
std::string throttled_line(const profile::Lost& lost) {
  if (lost.throttlings == 0) return {};
  return fmt::format(
      "# throttled: {}, because samples came too fast for the kernel: a longer period loses none\n",
      count_of(lost.throttlings, "time", "times"));
}

std::string note_lines(const std::vector<std::string>& notes) {
  std::string out;
  for (const std::string& note : notes) out += fmt::format("# note: {}\n", printable(note));
  return out;
}

std::string_view words_of(symbol::Undetermined reason) {
  using enum symbol::Undetermined;
  switch (reason) {
    case kKernel:
      return "in the kernel";
    case kNoCode:
      return "in code that is not available or not for x86-64";
    case kNotDecoded:
      return "at an unknown instruction";
    case kEntry:
      return "at a function's entry";
    case kReturn:
      return "after a call";
    case kHalfDone:
      return "at a string instruction or gather";
    case kSeveralWays:
      return "at the meeting point of several paths";
    case kNoWay:
      return "at an unreachable instruction";
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
                       words_of(static_cast<symbol::Undetermined>(reason)));
    separator = ", ";
  }
  return out + '\n';
}

// Returns a line beginning with "#" for each clock event that was attributed to the preceding instruction.
// The line shows how many samples moved, how many data addresses were computed from registers, and why the
// other samples stayed.
std::string clock_lines(const profile::Profile& profile) {
  std::string out;
  for (const profile::Event& event : profile.events) {
    if (event.clock) out += clock_line(event);
  }
  return out;
}

// Breaks the comment at spaces if it is wider than `columns` (0: no limit). Further lines begin with "#   ".
std::string wrapped_comment(std::string_view comment, size_t columns) {
  constexpr std::string_view kMore = "#   ";
  std::string out = wrapped(comment, columns, kMore.size());
  for (size_t end = out.find('\n'); end != out.npos; end = out.find('\n', end + 1))
    out.replace(end + 1, 1, "#");
  return out;
}

}  // namespace

std::string wrapped_comments(std::string_view comments, size_t columns) {
  std::string out;
  while (!comments.empty()) {
    size_t end = std::min(comments.find('\n'), comments.size());
    out += wrapped_comment(comments.substr(0, end), columns) + '\n';
    comments.remove_prefix(std::min(end + 1, comments.size()));
  }
  return out;
}

std::string pmu_title(const profile::Profile& profile) {
  std::string pmu = profile.origin().pmu;
  if (pmu == "kernel") return "the kernel (software events)";
  if (pmu == "software" || pmu == "hardware") return pmu + " PMU";
  if (pmu == "unknown") return "unknown, because that part of the file is cut off";
  return printable(pmu);
}

std::string problem_lines(const std::vector<std::string>& problems) {
  std::string out;
  for (size_t i = 0; i < problems.size() && i < kShownProblems; ++i) {
    out += fmt::format("# problem: {}\n", printable(problems[i]));
  }
  if (problems.size() > kShownProblems) {
    out += fmt::format("# and {} more problems (--json shows all)\n", problems.size() - kShownProblems);
  }
  return out;
}

std::string recording_header(const profile::Profile& profile, const totals::Totals& totals, size_t columns) {
  std::string verdict_text;
  if (auto verdict = totals::find_verdict(profile))
    verdict_text = verdict_lines(*verdict, "# ", columns) + "#\n";
  std::string out;
  out += fmt::format("# measured by: {}\n", pmu_title(profile));
  if (!profile.features.cmdline.empty()) {
    out += fmt::format("# command: {}\n",
                       printable(fmt::format("{}", fmt::join(profile.features.cmdline, " "))));
  }
  for (const std::string& line : profile.delivery()) out += fmt::format("# {}\n", printable(line));
  out += fmt::format("# lost: {}\n", lost_text(profile.lost));
  out += throttled_line(profile.lost);
  out += problem_lines(profile.problems) + note_lines(profile.notes) + event_lines(totals) +
         clock_lines(profile);
  return verdict_text + wrapped_comments(out, columns) + "#\n";
}

}  // namespace hm::text
