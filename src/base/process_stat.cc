// SPDX-License-Identifier: MIT
#include "base/process_stat.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>

#include "base/take_until.h"
#include "base/text_file.h"

namespace hm {
namespace {

uint64_t take_ticks_ns(std::string_view& line) {
  static const uint64_t kTickNs = 1'000'000'000 / static_cast<uint64_t>(::sysconf(_SC_CLK_TCK));
  std::string_view field = take_until(line, ' ');
  uint64_t ticks = 0;
  std::from_chars(field.data(), field.data() + field.size(), ticks);
  return ticks * kTickNs;
}

}  // namespace

std::optional<ProcessStat> parse_process_stat(std::string_view line) {
  size_t name_end = line.rfind(") ");
  if (name_end == std::string_view::npos || name_end + 2 >= line.size()) return std::nullopt;
  std::string_view rest = line.substr(name_end + 2);
  ProcessStat stat;
  stat.state = rest.front();
  take_until(rest, ' ');
  std::string_view parent = take_until(rest, ' ');
  std::from_chars(parent.data(), parent.data() + parent.size(), stat.parent);
  constexpr int kFieldsBetween = 9;  // the fields from pgrp to cmajflt
  for (int i = 0; i < kFieldsBetween; ++i) take_until(rest, ' ');
  stat.cpu_time.user_ns = take_ticks_ns(rest);
  stat.cpu_time.kernel_ns = take_ticks_ns(rest);
  return stat;
}

CpuTime cpu_time_of(pid_t process) {
  std::optional<std::string> text = read_text(fmt::format("/proc/{}/stat", process));
  std::optional<ProcessStat> stat = text ? parse_process_stat(*text) : std::nullopt;
  return stat ? stat->cpu_time : CpuTime();
}

}  // namespace hm
