// SPDX-License-Identifier: MIT
#include "view/screen/llc_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/text/format.h"

namespace hm::screen {
namespace {

using occupancy::By;
using occupancy::Row;
using occupancy::Snapshot;

std::string seconds_text(uint64_t ns) { return fmt::format("{:.1f} s", static_cast<double>(ns) * 1e-9); }

void add_domains(const Row& row, LlcUnit unit, std::vector<std::string>& lines) {
  for (const occupancy::InDomain& each : row.domains) {
    std::string held =
        each.occupancy_bytes ? amount_text(static_cast<double>(*each.occupancy_bytes), unit) : "not measured";
    lines.push_back(fmt::format("in cache {}: {}", each.domain, held));
  }
}

void add_traffic(const Snapshot& snapshot, const Row& row, LlcUnit unit, std::vector<std::string>& lines) {
  const auto add = [&](const char* what, bool there_is, const std::optional<double>& bytes) {
    std::string rate = bytes ? amount_text(*bytes, unit) + " a second" : "not measured";
    if (there_is) lines.push_back(fmt::format("{}: {}", what, rate));
  };
  add("from and to memory", snapshot.has_total_bandwidth, row.total_bytes_per_s);
  add("of that, memory of the same node", snapshot.has_local_bandwidth, row.local_bytes_per_s);
}

void add_history(const std::vector<PlotValue>& history, LlcUnit unit, std::vector<std::string>& lines) {
  double least = 0, most = 0, sum = 0;
  size_t measured = 0;
  for (const PlotValue& each : history) {
    if (!each.value || each.is_earlier) continue;
    least = measured == 0 ? *each.value : std::min(least, *each.value);
    most = std::max(most, *each.value);
    sum += *each.value;
    ++measured;
  }
  if (measured == 0) return;
  lines.push_back(
      fmt::format("in {} that are kept: least {}, mean {}, most {}",
                  text::count_of(measured, "measurement", "measurements"), amount_text(least, unit),
                  amount_text(sum / static_cast<double>(measured), unit), amount_text(most, unit)));
}

const char* members_text(By by) {
  return by == By::kCpu ? "CPUs" : by == By::kThread || by == By::kProgram ? "threads" : "processes";
}

std::string held_line(const Snapshot& snapshot, const Row& row, LlcUnit unit) {
  if (!row.occupancy_bytes) return "held: not measured";
  std::string line = fmt::format("held: {}", amount_text(static_cast<double>(*row.occupancy_bytes), unit));
  if (snapshot.cache_bytes != 0)
    line += fmt::format(", {} of the cache", share_text(row.occupancy_bytes, snapshot.cache_bytes));
  if (row.age_ns != 0) line += fmt::format(", measured {} ago", seconds_text(row.age_ns));
  return line;
}

}  // namespace

std::string amount_text(double bytes, LlcUnit unit) {
  constexpr double kKib = 1024, kMib = kKib * kKib;
  if (unit == LlcUnit::kKib) return fmt::format("{:.0f} KiB", bytes / kKib);
  if (unit == LlcUnit::kMib) return fmt::format("{:.2f} MiB", bytes / kMib);
  return text::bytes_text(bytes);
}

std::string rate_text(const std::optional<double>& bytes_per_s, LlcUnit unit) {
  return bytes_per_s ? amount_text(*bytes_per_s, unit) : text::kNotMeasured;
}

std::string held_text(const Row& row, LlcUnit unit) {
  if (!row.occupancy_bytes) return text::kNotMeasured;
  return (row.age_ns != 0 ? "~" : "") + amount_text(static_cast<double>(*row.occupancy_bytes), unit);
}

std::string interval_text(const Row& row, LlcUnit unit) {
  if (!row.occupancy_bytes || row.low_bytes >= row.high_bytes) return {};
  std::string low = amount_text(static_cast<double>(row.low_bytes), unit);
  std::string high = amount_text(static_cast<double>(row.high_bytes), unit);
  size_t space = low.find(' ');
  if (space != std::string::npos && high.ends_with(low.substr(space))) low.resize(space);
  return fmt::format("{} to {}", low, high);
}

std::string share_text(const std::optional<uint64_t>& bytes, uint64_t cache_bytes) {
  if (!bytes || cache_bytes == 0) return text::kNotMeasured;
  return text::percent(static_cast<double>(*bytes) / static_cast<double>(cache_bytes));
}

const char* by_text(By by) {
  switch (by) {
    case By::kCpu:
      return "CPU";
    case By::kThread:
      return "thread";
    case By::kProcess:
      return "process";
    case By::kTree:
      return "process tree";
    case By::kCgroup:
      return "control group";
    case By::kVm:
      return "virtual machine";
    case By::kProgram:
      return "program";
  }
  return "row";
}

std::string who_measured(const Snapshot& snapshot) {
  std::string who = text::printable(snapshot.measured_by);
  return snapshot.is_modelled ? who + " (modelled)" : who;
}

std::string sum_text(const Snapshot& snapshot, LlcUnit unit) {
  uint64_t held = 0;
  bool is_all = true;
  for (const Row& row : snapshot.rows) {
    held += row.occupancy_bytes.value_or(0);
    is_all = is_all && row.occupancy_bytes.has_value();
  }
  std::string least = is_all ? "" : "at least ", sum = amount_text(static_cast<double>(held), unit);
  if (snapshot.cache_bytes == 0) return fmt::format("{}{} held, of a cache of unknown size", least, sum);
  return fmt::format("{}{} of {} held ({})", least, sum,
                     amount_text(static_cast<double>(snapshot.cache_bytes), unit),
                     share_text(held, snapshot.cache_bytes));
}

std::vector<std::string> detail_lines(const Snapshot& snapshot, const ShownRow& shown,
                                      const std::vector<PlotValue>& history, LlcUnit unit) {
  const Row& row = *shown.row;
  std::vector<std::string> lines{fmt::format("{}: {}", by_text(snapshot.by), text::printable(row.name))};
  if (row.pid) lines.push_back(fmt::format("{}: {}", snapshot.by == By::kThread ? "TID" : "PID", *row.pid));
  if (row.members != 0) lines.push_back(fmt::format("{}: {}", members_text(snapshot.by), row.members));
  if (!row.parent.empty()) lines.push_back(fmt::format("below: {}", text::printable(row.parent)));
  lines.push_back(held_line(snapshot, row, unit));
  if (std::string interval = interval_text(row, unit); !interval.empty())
    lines.push_back(fmt::format("at 95 %: {}", interval));
  if (shown.below != 0 && shown.sum_bytes)
    lines.push_back(fmt::format("with the {} below it: {}{}", text::count_of(shown.below, "row", "rows"),
                                shown.is_least ? "at least " : "",
                                amount_text(static_cast<double>(*shown.sum_bytes), unit)));
  add_domains(row, unit, lines);
  add_traffic(snapshot, row, unit, lines);
  lines.push_back(fmt::format("measured {} of the time", text::percent(row.measured_share)));
  add_history(history, unit, lines);
  lines.push_back("measured by " + who_measured(snapshot));
  if (snapshot.is_modelled) lines.emplace_back("of a modelled cache, not of this machine's");
  for (const std::string& remark : snapshot.remarks) lines.push_back("remark: " + text::printable(remark));
  return lines;
}

const std::vector<std::string>& llc_help() {
  static const std::vector<std::string> kLines{
      "Up, Down, Page Up, Page Down   choose a row",
      "Home, End                      the first row, whichever it is; the last one",
      "Enter                          details of the chosen row",
      "> < F6                         sort by the next column, or the one before",
      "M B L N A                      sort by occupancy, memory bandwidth, local bandwidth, PID, name",
      "R I                            reverse the order",
      "t F5                           rows below their parents, with sums",
      "b c                            meaning of a row: CPU, thread, process, ...",
      "/ F3                           search letters of a name, or a PID; n: the next one",
      "\\ F4                           show only rows with these letters; Esc: show all",
      "e                              bytes in KiB, in MiB, or automatic",
      "+ -                            show half or twice the time in the plots",
      "d s                            set the seconds between two refreshes",
      "Space                          pause, continue",
      "i                              how it was measured, and remarks",
      "h ? F1                         this",
      "q Esc F10                      end",
      "",
      "-  not measured     ~  an earlier reading, because rows take turns     >  at least",
      "The letter before a row marks its part of the bar, for the rows with the largest occupancy.",
      "HISTORY: occupancy, from 0 to its maximum in that time.",
  };
  return kLines;
}

}  // namespace hm::screen
