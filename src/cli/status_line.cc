// SPDX-License-Identifier: MIT
#include "cli/status_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "cli/output.h"
#include "view/text/format.h"

namespace hm::cli {
namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";  // ECMA-48: EL
constexpr size_t kDefaultColumns = 80;

size_t columns() {
  size_t told = terminal_size(STDERR_FILENO).columns;
  return told > 1 ? told : kDefaultColumns;
}

}  // namespace

std::string joined_to_fit(const std::vector<std::string>& fields, size_t width) {
  std::string line;
  for (const std::string& field : fields) {
    std::string longer =
        line.empty() ? text::printable(field) : fmt::format("{}, {}", line, text::printable(field));
    if (text::columns_of(longer) > width) break;
    line = std::move(longer);
  }
  return line;
}

StatusLine::StatusLine(std::chrono::milliseconds quiet)
    : on_terminal_(::isatty(STDERR_FILENO) != 0), begin_(std::chrono::steady_clock::now() + quiet) {}

StatusLine::~StatusLine() {
  if (shown_) write_to_terminal(kClearLine);
}

void StatusLine::show(const std::vector<std::string>& fields) {
  if (!on_terminal_ || std::chrono::steady_clock::now() < begin_) return;
  shown_ = true;
  // The last column stays empty, because some terminals start a new line after it.
  write_to_terminal(fmt::format("{}{}", kClearLine, joined_to_fit(fields, columns() - 1)));
}

}  // namespace hm::cli
