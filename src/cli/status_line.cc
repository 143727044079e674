// SPDX-License-Identifier: MIT
#include "cli/status_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <string>

#include "cli/output.h"
#include "view/text/format.h"

namespace hm::cli {
namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";  // ECMA-48: EL
constexpr size_t kDefaultColumns = 80;

// Asked each time: a terminal can change its size.
size_t columns() {
  winsize size{};
  bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : kDefaultColumns;
}

std::string status_text(const soft::RunProgress& progress) {
  auto count = [&](event::EventId id) { return progress.totals.counts[event::index_of(id)]; };
  uint64_t instructions = count(event::EventId::kInstrRetired);
  std::string line = fmt::format("{:.1f} s, {}, {}, {}", static_cast<double>(progress.elapsed_ns) / 1e9,
                                 text::count_of(progress.live_processes, "process", "processes"),
                                 text::count_of(progress.totals.samples, "sample", "samples"),
                                 text::count_of(instructions, "instruction", "instructions"));
  if (instructions != 0) {
    auto misses = static_cast<double>(count(event::EventId::kL1CacheMiss));
    line += fmt::format(", {:.1f} L1 misses per 1000", misses * 1000 / static_cast<double>(instructions));
  }
  if (!progress.command_ended) return line;
  return "the command has ended, other processes of it go on (Ctrl-C ends the recording): " + line;
}

}  // namespace

StatusLine::StatusLine() : on_terminal_(::isatty(STDERR_FILENO) != 0) {}

StatusLine::~StatusLine() {
  if (shown_) write_message(kClearLine);
}

void StatusLine::show(const soft::RunProgress& progress) {
  if (!on_terminal_) return;
  shown_ = true;
  // The last column stays free: some terminals begin a new line behind it.
  write_message(fmt::format("{}{}", kClearLine, text::elided(status_text(progress), columns() - 1)));
}

}  // namespace hm::cli
