// SPDX-License-Identifier: MIT
#include "view/text/timeline_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "symbol/display_name.h"
#include "view/text/format.h"

namespace hm::text {
namespace {

constexpr size_t kLetters = 26;

// Returns a point in time with full resolution.
std::string place_text(uint64_t at, profile::TimeUnit unit) {
  return unit == profile::TimeUnit::kNanoseconds ? fmt::format("{:.6f} s", static_cast<double>(at) / 1e9)
                                                 : fmt::format("{} cycles", grouped(at));
}

// Formats a rate, which is given per billion units of time.
std::string often_text(double per_billion, profile::TimeUnit unit) {
  return unit == profile::TimeUnit::kNanoseconds ? grouped(static_cast<uint64_t>(per_billion))
                                                 : fmt::format("{:.4g}", per_billion / 1e3);
}

std::string during_text(const timeline::Unusual& unusual, profile::TimeUnit unit) {
  std::string name = printable(symbol::display_name(unusual.name));
  if (!unusual.is_event)
    return fmt::format("{} {} of the time (as long elsewhere: at most {})", name, percent(unusual.during),
                       percent(unusual.usual));
  return fmt::format("{} {} in {} (as long elsewhere: at most {})", name, often_text(unusual.during, unit),
                     unit == profile::TimeUnit::kNanoseconds ? "a second" : "a million cycles",
                     often_text(unusual.usual, unit));
}

std::string chance_text(double chance) {
  constexpr double kMaxRuns = 1e9;
  return chance * kMaxRuns <= 1 ? "by chance in fewer than 1 of 1,000,000,000 runs"
                                : fmt::format("by chance in 1 of {} runs",
                                              grouped(static_cast<uint64_t>(std::llround(1 / chance))));
}

}  // namespace

char letter_of(size_t column, const std::vector<timeline::Function>& functions) {
  if (column >= functions.size() || column >= kLetters) return '.';
  if (functions[column].kind == timeline::Function::Kind::kUnknown) return '?';
  if (functions[column].kind == timeline::Function::Kind::kIdle) return '_';
  return static_cast<char>('a' + column);
}

size_t longest_named(const timeline::Bin& bin) {
  auto named = std::span(bin.ns).first(bin.ns.size() - 1);
  auto most = std::ranges::max_element(named);
  return most == named.end() || *most <= 0 ? named.size() : static_cast<size_t>(most - named.begin());
}

std::string lane_name(const std::string& name) {
  std::string shown = elided(name, kLaneNameColumns);
  return shown + std::string(kLaneNameColumns - columns_of(shown), ' ') + " |";
}

char shade_of(double count, double most) {
  constexpr std::string_view kShades = ".:-=+*#%@";
  auto shade = static_cast<size_t>(count / most * static_cast<double>(kShades.size()));
  return count <= 0 ? ' ' : kShades[std::min(shade, kShades.size() - 1)];
}

std::string moment_line(const timeline::Moment& moment, profile::TimeUnit unit) {
  std::string out = fmt::format("{}  {}:", place_text(moment.time_ns, unit), printable(moment.lane));
  for (const timeline::Moment::Left& left : moment.branches) {
    std::string name = printable(symbol::display_name(left.function));
    out += left.is_new ? fmt::format(" {} >", name) : fmt::format(" ({}) >", name);
  }
  out += ' ' + printable(symbol::display_name(moment.function));
  if (moment.ambiguous) out += "  (old or new is unknown)";
  return out;
}

std::string episode_line(const timeline::Episode& episode, profile::TimeUnit unit) {
  constexpr size_t kMaxNamed = 4;
  std::string out = fmt::format("{}, for {}:", place_text(episode.begin_ns, unit),
                                time_text(static_cast<double>(episode.end_ns - episode.begin_ns), unit));
  const auto named = std::min(kMaxNamed, episode.unusual.size());
  for (size_t i = 0; i < named; ++i) out += (i == 0 ? " " : "; ") + during_text(episode.unusual[i], unit);
  if (named < episode.unusual.size()) out += fmt::format("; and {} more", episode.unusual.size() - named);
  out += "; in " + printable(episode.lanes.front());
  if (episode.lanes.size() > 1) out += fmt::format(" and {} more", episode.lanes.size() - 1);
  for (size_t i = 0; i < episode.before.size(); ++i) {
    out += fmt::format("{}{} {}", i == 0 ? "; before it " : ", ",
                       printable(symbol::display_name(episode.before[i].function)),
                       percent(episode.before[i].share));
  }
  return out + "; " + chance_text(episode.chance);
}

}  // namespace hm::text
