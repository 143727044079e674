// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/thread_place.h"

#include <fmt/format.h>

#include <charconv>
#include <csignal>
#include <vector>

#include "base/process_stat.h"
#include "base/text_file.h"

namespace hm::soft {
namespace {

constexpr uint64_t bit_of(int signal) { return uint64_t{1} << (signal - 1); }
constexpr uint64_t kIgnoredByDefault = bit_of(SIGCHLD) | bit_of(SIGCONT) | bit_of(SIGURG) | bit_of(SIGWINCH);
// kernel/signal.c, SYNCHRONOUS_MASK
constexpr uint64_t kOfFaults =
    bit_of(SIGSEGV) | bit_of(SIGBUS) | bit_of(SIGILL) | bit_of(SIGTRAP) | bit_of(SIGFPE) | bit_of(SIGSYS);

std::string file_of(pid_t process, pid_t thread, std::string_view name) {
  return fmt::format("/proc/{}/task/{}/{}", process, thread, name);
}

template <typename T>
std::optional<T> number_of(std::string_view word, int base) {
  if (base == 16 && word.starts_with("0x")) word.remove_prefix(2);
  T value{};
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  return error == std::errc() && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kSpace = " \t\n";
  std::vector<std::string_view> words;
  for (size_t at = line.find_first_not_of(kSpace); at < line.size();
       at = line.find_first_not_of(kSpace, at + words.back().size()))
    words.push_back(line.substr(at, line.find_first_of(kSpace, at) - at));
  return words;
}

// Returns the value of the line "NAME:\t0123..."; 0 if there is no such line.
uint64_t mask_in(std::string_view status, std::string_view name) {
  size_t at = status.find(fmt::format("\n{}:", name));
  if (at == std::string_view::npos) return 0;
  std::vector<std::string_view> words = words_of(status.substr(at, status.find('\n', at + 1) - at));
  return words.size() < 2 ? 0 : number_of<uint64_t>(words[1], 16).value_or(0);
}

uint64_t unnoticed_in(std::string_view status) {
  return mask_in(status, "SigIgn") | (kIgnoredByDefault & ~mask_in(status, "SigCgt"));
}

bool is_taken_by(std::string_view status, uint64_t waiting) {
  return (waiting & ~mask_in(status, "SigBlk") & ~unnoticed_in(status)) != 0;
}

std::string status_of(pid_t process, pid_t thread) {
  return read_text(file_of(process, thread, "status")).value_or("");
}

}  // namespace

std::optional<BlockedAt> parse_blocked(std::string_view line) {
  std::vector<std::string_view> words = words_of(line);
  if (words.size() < 3) return std::nullopt;
  auto call = number_of<int64_t>(words[0], 10);
  auto stack = number_of<uint64_t>(words[words.size() - 2], 16);
  auto ip = number_of<uint64_t>(words.back(), 16);
  if (!call || !stack || !ip) return std::nullopt;
  return BlockedAt{*call, *stack, *ip};
}

std::optional<BlockedAt> blocked_at(pid_t process, pid_t thread) {
  return parse_blocked(read_text(file_of(process, thread, "syscall")).value_or(""));
}

bool is_running(pid_t process, pid_t thread) {
  auto stat = parse_process_stat(read_text(file_of(process, thread, "stat")).value_or(""));
  return stat && stat->state == 'R';
}

bool has_waiting_signal(std::string_view status) {
  return is_taken_by(status, mask_in(status, "SigPnd") | mask_in(status, "ShdPnd"));
}

bool has_waiting_signal(pid_t process, pid_t thread) {
  return has_waiting_signal(status_of(process, thread));
}

bool has_waiting_fault(std::string_view status) {
  return (mask_in(status, "SigPnd") & kOfFaults & ~mask_in(status, "SigBlk")) != 0;
}

bool has_waiting_fault(pid_t process, pid_t thread) { return has_waiting_fault(status_of(process, thread)); }

bool process_has_waiting_signal(pid_t process, pid_t thread) {
  std::string status = status_of(process, thread);
  return is_taken_by(status, mask_in(status, "ShdPnd"));
}

}  // namespace hm::soft
