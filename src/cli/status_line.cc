// SPDX-License-Identifier: MIT
#include "cli/status_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

std::vector<std::string> status_fields(const soft::RunProgress& progress) {
  auto count = [&](event::EventId id) { return progress.totals.counts[event::index_of(id)]; };
  uint64_t instructions = count(event::EventId::kInstrRetired);
  std::vector<std::string> fields{fmt::format("{:.1f} s", static_cast<double>(progress.elapsed_ns) / 1e9)};
  if (progress.command_ended && progress.live_processes > 0) {
    fields.emplace_back("the command has ended, others go on (Ctrl-C stops)");
  }
  fields.push_back(text::count_of(progress.live_processes, "process", "processes"));
  fields.push_back(text::count_of(progress.totals.samples, "sample", "samples"));
  if (instructions != 0) {
    auto misses = static_cast<double>(count(event::EventId::kL1CacheMiss));
    fields.push_back(fmt::format("{:.1f} L1 misses per 1000 instructions",
                                 misses * 1000 / static_cast<double>(instructions)));
    fields.push_back(text::count_of(instructions, "instruction", "instructions"));
  }
  return fields;
}

std::string joined_to_fit(const std::vector<std::string>& fields, size_t width) {
  std::string line;
  for (const std::string& field : fields) {
    std::string longer = line.empty() ? field : fmt::format("{}, {}", line, field);
    if (longer.size() > width) break;
    line = std::move(longer);
  }
  return line;
}

}  // namespace

StatusLine::StatusLine() : on_terminal_(::isatty(STDERR_FILENO) != 0) {}

StatusLine::~StatusLine() {
  if (shown_) write_message(kClearLine);
}

void StatusLine::show(const soft::RunProgress& progress) {
  if (on_terminal_) show(status_fields(progress));
}

void StatusLine::show(const std::vector<std::string>& fields) {
  if (!on_terminal_) return;
  shown_ = true;
  // The last column stays free: some terminals begin a new line behind it.
  write_message(fmt::format("{}{}", kClearLine, joined_to_fit(fields, columns() - 1)));
}

}  // namespace hm::cli
