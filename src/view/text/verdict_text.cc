// SPDX-License-Identifier: MIT
#include "view/text/verdict_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "record/cpu_use.h"
#include "view/text/format.h"

namespace hm::text {
namespace {

constexpr size_t kMostColumns = 80;
constexpr size_t kLeastColumns = 20;  // of a bar that still shows something
constexpr double kShown = 0.0005;     // of smaller parts, percent() would show 0.0%

// A part of the bar.
struct Segment {
  char letter;
  std::string_view name;
  double share;
};

char letter_of(std::string_view event) {
  if (event == "l2_wait") return '2';
  if (event == "l3_wait") return '3';
  if (event == "dram_wait") return 'M';
  if (event == "peer_wait") return 'C';
  return 'T';
}

std::vector<Segment> segments_of(const totals::Verdict& verdict) {
  std::vector<Segment> segments;
  double rest = 1;
  const auto add = [&](char letter, std::string_view name, double share) {
    segments.push_back({letter, name, share});
    rest -= share;
  };
  for (const totals::CyclePart& part : verdict.of_memory) add(letter_of(part.event), part.name, part.share);
  if (verdict.fetch) add('i', "instructions", *verdict.fetch);
  if (verdict.branches) add('b', "branches", *verdict.branches);
  add('.', "no wait", std::max(rest, 0.0));
  return segments;
}

// Each column is the part that its middle lies in.
std::string bar_of(const std::vector<Segment>& segments, size_t columns) {
  std::string bar;
  double end = 0;
  for (const Segment& each : segments) {
    end += each.share;
    auto until = static_cast<size_t>(std::lround(std::min(end, 1.0) * static_cast<double>(columns)));
    if (until > bar.size()) bar.append(until - bar.size(), each.letter);
  }
  bar.resize(columns, '.');
  return bar;
}

// A limit of the share; empty if the kernel's part is small.
std::string kernel_text(const totals::Verdict& verdict) {
  if (verdict.unseen_kernel.value_or(0) <= record::kKernelShareWorthALook) return {};
  return fmt::format(
      " These are of user mode alone: {} of the CPU time, hardmeter's own included, was in the kernel.",
      percent(*verdict.unseen_kernel));
}

// In bursts, other threads' accesses are seen at other times.
std::string bursts_text(const totals::Verdict& verdict) {
  return verdict.in_bursts && !verdict.unseen
             ? " Bursts do not see threads that fight over a line; --detail exact does."
             : "";
}

// Waits that the sentence is not about, if they are larger.
std::string fetch_text(const totals::Verdict& verdict) {
  if (verdict.fetch.value_or(0) <= verdict.memory) return {};
  return fmt::format(" Waits for instructions take more: {}.", percent(*verdict.fetch));
}

std::string share_of(const totals::Verdict& verdict) {
  std::string share = percent(verdict.memory);
  return verdict.error ? share + fmt::format(" ±{:.1f}", 100 * *verdict.error) : share;
}

// No burst had a wait.
std::string unseen_sentence(const totals::Verdict& verdict) {
  constexpr double kShareWorthALook = 0.005;
  std::string begin =
      verdict.memory < kShareWorthALook
          ? std::string("memory waits: none seen in the bursts")
          : fmt::format(
                "memory waits: {} of the modelled cycles, all before the first burst; none seen in the bursts",
                percent(verdict.memory));
  return fmt::format(
      "{}. A phase of less than {:.2g} % of the instructions may have been missed, and may wait; --detail exact measures everything.",
      begin, 100 * *verdict.unseen);
}

std::string sentence_of(const totals::Verdict& verdict) {
  if (verdict.unseen) return unseen_sentence(verdict);
  std::string begin = fmt::format("memory waits: {} of the modelled cycles", share_of(verdict));
  if (verdict.costs == record::CostSource::kStated)
    return begin +
           ", by stated latencies: an instruction takes one cycle, no misses overlap, and nothing is prefetched. --as typical estimates time, and --as host the time on this machine.";
  if (verdict.costs == record::CostSource::kTypical)
    begin += ", at the costs of a typical processor (`hardmeter calibrate` measures this one)";
  return begin + ". Removing all of them would save at most that.";
}

std::string legend_of(const std::vector<Segment>& segments) {
  std::string legend;
  for (const Segment& each : segments) {
    if (each.share >= kShown)
      legend +=
          fmt::format("{}{} {} {}", legend.empty() ? "" : ", ", each.letter, each.name, percent(each.share));
  }
  return legend;
}

std::string rates_of(const totals::Verdict& verdict) {
  if (!verdict.instructions_per_cycle) return {};
  std::string misses;
  for (const totals::MissRate& each : verdict.misses)
    misses +=
        fmt::format("{}{:.2f} {}", misses.empty() ? "" : ", ", each.per_thousand_instructions, each.level);
  if (!misses.empty()) misses = fmt::format("misses of loads per 1000 instructions: {}; ", misses);
  return fmt::format("{}{:.2f} instructions a cycle", misses, *verdict.instructions_per_cycle);
}

void append(std::string& out, std::string_view prefix, std::string_view text, size_t columns) {
  std::string lines = wrapped(text, columns - prefix.size(), 2);
  for (size_t begin = 0; begin < lines.size();) {
    size_t end = std::min(lines.find('\n', begin), lines.size());
    out += fmt::format("{}{}\n", prefix, std::string_view(lines).substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace

std::string verdict_line(const totals::Verdict& verdict) {
  std::string parts;
  for (const totals::CyclePart& part : verdict.of_memory) {
    if (part.share < kShown) break;  // the largest come first
    parts += fmt::format("{}{} {}", parts.empty() ? ": " : ", ", part.name, percent(part.share));
  }
  std::string_view whose = verdict.costs == record::CostSource::kTypical ? " (typical costs)" : "";
  return fmt::format("memory waits: {} of the modelled cycles{}{}\n", share_of(verdict), whose, parts);
}

std::string verdict_lines(const totals::Verdict& verdict, std::string_view prefix, size_t columns) {
  constexpr size_t kFrame = 4;  // two blanks and the bar's ends
  columns = columns == 0 ? kMostColumns : std::clamp(columns, kLeastColumns, kMostColumns);
  std::vector<Segment> segments = segments_of(verdict);
  std::string out;
  append(out, prefix,
         sentence_of(verdict) + fetch_text(verdict) + bursts_text(verdict) + kernel_text(verdict), columns);
  out += fmt::format("{}  |{}|\n", prefix, bar_of(segments, columns - prefix.size() - kFrame));
  append(out, prefix, "  " + legend_of(segments), columns);
  if (std::string rates = rates_of(verdict); !rates.empty()) append(out, prefix, "  " + rates, columns);
  return out;
}

}  // namespace hm::text
