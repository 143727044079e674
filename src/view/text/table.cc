// SPDX-License-Identifier: MIT
#include "view/text/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "view/text/format.h"

namespace hm::text {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kNarrowest = 16;  // a name cut shorter than this is useless
constexpr size_t kReadable = 32;   // names have precedence over optional columns up to this width
constexpr size_t kHidden = static_cast<size_t>(-1);

size_t sum(const std::vector<size_t>& widths) {
  size_t total = 0;
  for (size_t width : widths) total += width == kHidden ? 0 : width + kGap;
  return total;
}

}  // namespace

void Table::add(std::vector<std::string> cells, std::string below) {
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back({std::move(cells), std::move(below)});
}

std::vector<size_t> Table::natural_widths() const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < headings_.size(); ++i) {
    size_t width = columns_of(headings_[i].title);
    for (const Row& row : rows_) width = std::max(width, columns_of(row.cells[i]));
    widths.push_back(width);
  }
  return widths;
}

void Table::remove_columns(std::vector<size_t>& widths, size_t width) const {
  auto readable = [&] {  // with every longer name cut to kReadable
    size_t total = 0;
    for (size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] == kHidden) continue;
      total += kGap + (headings_[i].align == Align::kLeft ? std::min(widths[i], kReadable) : widths[i]);
    }
    return total;
  };
  for (Presence removed : {Presence::kOptional, Presence::kIfNeeded}) {
    for (size_t i = widths.size(); i-- > 0 && readable() > width;) {
      if (headings_[i].presence == removed) widths[i] = kHidden;
    }
  }
}

// Returns a line that names the removed columns, other than optional ones; empty if there are none.
std::string Table::removed_text(const std::vector<size_t>& widths, size_t width) const {
  std::string names;
  for (size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] == kHidden && headings_[i].presence == Presence::kIfNeeded)
      names += (names.empty() ? "" : ", ") + headings_[i].title;
  }
  if (names.empty()) return {};
  return wrapped(fmt::format("# the terminal is too narrow for: {}", names), width, 0) + '\n';
}

void Table::fit(std::vector<size_t>& widths, size_t width) const {
  width += kGap;  // each column is counted with a gap, but the last column has none behind it
  remove_columns(widths, width);
  while (sum(widths) > width) {
    size_t widest = widths.size();
    for (size_t i = 0; i < widths.size(); ++i) {
      bool may_shrink = headings_[i].align == Align::kLeft && widths[i] != kHidden && widths[i] > kNarrowest;
      if (may_shrink && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) return;
    size_t excess = sum(widths) - width;
    widths[widest] -= std::min(excess, widths[widest] - kNarrowest);
  }
}

// Without a width limit nothing is cut, but a single long name must not widen the column of all rows.
void Table::let_stick_out(std::vector<size_t>& widths) const {
  constexpr size_t kWidest = 80;
  for (size_t i = 0; i < widths.size(); ++i) {
    if (headings_[i].align == Align::kLeft) widths[i] = std::min(widths[i], kWidest);
  }
}

std::string Table::line(const std::vector<std::string>& cells, const std::vector<size_t>& widths,
                        const Style& style) const {
  std::string out;
  size_t pending = 0;  // spaces before the next cell; the last cell gets none behind it
  for (size_t i = 0; i < cells.size(); ++i) {
    if (widths[i] == kHidden) continue;
    std::string cell = style.width > 0 ? elided(cells[i], widths[i]) : cells[i];
    if (style.drawing) cell = in_columns(std::move(cell));
    size_t pad = widths[i] - std::min(widths[i], columns_of(cell));
    bool left = headings_[i].align == Align::kLeft;
    out += std::string(pending + (left ? 0 : pad), ' ') + cell;
    pending = kGap + (left ? pad : 0);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out + '\n';
}

std::string Table::render(const Style& style) const {
  std::vector<size_t> widths = natural_widths();
  if (style.width > 0)
    fit(widths, style.width);
  else
    let_stick_out(widths);
  std::vector<std::string> titles;
  for (const Heading& heading : headings_) titles.push_back(heading.title);
  std::string out = line(titles, widths, style);
  if (style.color) out = "\x1b[1m" + out.substr(0, out.size() - 1) + "\x1b[0m\n";
  for (const Row& row : rows_) out += line(row.cells, widths, style) + row.below;
  return out + removed_text(widths, style.width);
}

}  // namespace hm::text
