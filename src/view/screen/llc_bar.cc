// SPDX-License-Identifier: MIT
#include "view/screen/llc_bar.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "view/screen/screen_lines.h"
#include "view/text/format.h"

namespace hm::screen {
namespace {

constexpr size_t kLetters = kColors;

LlcBar::Mark mark_number(size_t number) {
  return {static_cast<char>('A' + number), static_cast<uint8_t>(1 + number)};
}

double held_by(const occupancy::Row& row) { return static_cast<double>(*row.occupancy_bytes); }

}  // namespace

void LlcBar::update(const occupancy::Snapshot& snapshot) {
  std::vector<const occupancy::Row*> holders;
  double held = 0;
  for (const occupancy::Row& row : snapshot.rows) {
    if (row.occupancy_bytes.value_or(0) == 0) continue;
    holders.push_back(&row);
    held += held_by(row);
  }
  std::ranges::stable_sort(holders, std::greater(), [](const auto* row) { return *row->occupancy_bytes; });
  holders.resize(std::min(holders.size(), kLetters));
  give_letters(holders);
  parts_.clear();
  others_bytes_ = held;
  for (const occupancy::Row* row : holders) {
    parts_.push_back({row->name, held_by(*row), numbers_.at(row->key)});
    others_bytes_ -= held_by(*row);
  }
  // Values measured at different times may add up to more than the size of the cache.
  free_bytes_ = std::max(0.0, static_cast<double>(snapshot.cache_bytes) - held);
}

void LlcBar::give_letters(const std::vector<const occupancy::Row*>& largest) {
  std::map<std::string, size_t> kept;
  std::set<size_t> taken;
  for (const occupancy::Row* row : largest) {
    auto before = numbers_.find(row->key);
    if (before == numbers_.end()) continue;
    kept.insert(*before);
    taken.insert(before->second);
  }
  size_t next = 0;
  for (const occupancy::Row* row : largest) {
    if (kept.contains(row->key)) continue;
    while (taken.contains(next)) ++next;
    kept.emplace(row->key, next++);
  }
  numbers_ = std::move(kept);
}

std::optional<LlcBar::Mark> LlcBar::mark_of(const std::string& key) const {
  auto number = numbers_.find(key);
  if (number == numbers_.end()) return std::nullopt;
  return mark_number(number->second);
}

// Each part ends at the cell where the cumulative sum ends, so that the parts fill the bar.
void LlcBar::draw_bar(size_t row, size_t columns, bool drawing, Picture& picture) const {
  if (columns <= 2) return;
  size_t cells = columns - 2, begin = 0;
  double all = others_bytes_ + free_bytes_, sum = 0;
  for (const Part& part : parts_) all += part.bytes;
  const auto add = [&](double bytes, const std::string& cell, uint8_t color, bool inverse) {
    sum += bytes;
    auto end = all <= 0 ? cells : static_cast<size_t>(std::round(sum / all * static_cast<double>(cells)));
    std::string text;
    for (size_t i = begin; i < std::min(end, cells); ++i) text += cell;
    if (!text.empty()) picture.push_back({row, 1 + begin, text, color, inverse});
    begin = std::max(begin, std::min(end, cells));
  };
  picture.push_back({row, 0, "["});
  for (const Part& part : parts_)
    add(part.bytes, std::string(1, mark_number(part.number).letter), mark_number(part.number).color, true);
  add(others_bytes_, "+", 0, true);
  add(free_bytes_, drawing ? "·" : ".", 0, false);
  picture.push_back({row, columns - 1, "]"});
}

void LlcBar::draw_legend(size_t row, size_t columns, LlcUnit unit, Picture& picture) const {
  constexpr size_t kMaxName = 20;
  size_t column = 0;
  const auto add = [&](const std::string& mark, const std::string& name, double bytes, uint8_t color,
                       bool inverse) {
    std::string words = " " + amount_text(bytes, unit) + " " + marked(name, kMaxName);
    if (column + mark.size() + text::columns_of(words) > columns) return;
    picture.push_back({row, column, mark, color, inverse});
    picture.push_back({row, column + mark.size(), words});
    column += mark.size() + text::columns_of(words) + 2;
  };
  for (const Part& part : parts_) {
    LlcBar::Mark mark = mark_number(part.number);
    add(std::string(1, mark.letter), text::printable(part.name), part.bytes, mark.color, true);
  }
  if (others_bytes_ > 0) add("+", "others", others_bytes_, 0, true);
  if (free_bytes_ > 0) add(".", "free", free_bytes_, 0, false);
}

}  // namespace hm::screen
