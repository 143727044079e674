// SPDX-License-Identifier: MIT
#include "view/screen/top_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "view/screen/screen_lines.h"
#include "view/text/causes_text.h"
#include "view/text/format.h"
#include "view/text/hotspots_text.h"

namespace hm::screen {
namespace {

constexpr size_t kFewRows = 16;   // a screen with fewer rows shows the table alone
constexpr size_t kTitleRows = 2;  // the first and the last row of the screen

const std::vector<std::string> kColumns{
    "share       of all samples of the event, ± half of a 95 % interval",
    "samples     how often the event was sampled here",
    "events      how often it happened: since the start, or in the newest 32 MiB",
    "per second  during the last interval, by the time that was measured of it; the",
    "            software PMU measures episodes, and slows the processes in them;",
    "            -: none was sampled",
};

std::string row_key(const hotspots::Row& row) {
  return row.keys.front() + '\n' + row.file + '\n' + row.line_path + '\n' + row.dso.value_or("");
}

// Adds blank lines between parts only if there is room.
void append_part(std::vector<std::string>& all, const std::vector<std::string>& part, bool with_gap) {
  if (part.empty()) return;
  if (with_gap && !all.empty()) all.emplace_back();
  std::ranges::copy(part, std::back_inserter(all));
}

}  // namespace

void TopScreen::update(std::vector<TopTables> events, std::vector<std::string> head) {
  events_ = std::move(events);
  head_ = std::move(head);
}

void TopScreen::show_code(const std::string& text) { code_ = lines_of(text); }

void TopScreen::press(int key) {
  if (key != kNone && key != kResized) state_ = pressed(state_, key, extent());
}

std::optional<size_t> TopScreen::event() const {
  return events_.empty() ? std::nullopt : std::optional(state_.event % events_.size());
}

const hotspots::Hotspots* TopScreen::table() const {
  std::optional<size_t> shown = event();
  if (!shown) return nullptr;
  return state_.by_line ? events_[*shown].lines : events_[*shown].functions;
}

std::vector<std::string> TopScreen::row_keys() const {
  std::vector<std::string> keys;
  const hotspots::Hotspots* shown = table();
  if (shown != nullptr) std::ranges::transform(shown->rows, std::back_inserter(keys), row_key);
  return keys;
}

std::vector<std::string> TopScreen::reasons() const {
  std::optional<size_t> shown = event();
  if (!shown || !state_.reasons) return {};
  std::vector<std::string> lines = lines_of(text::causes(*events_[*shown].causes, {.width = width()}));
  if (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
  return lines;
}

TopScreen::Layout TopScreen::layout() const {
  Layout layout;
  bool has_room = size_.rows >= kFewRows;
  for (const std::string& line : head_) {
    if (has_room || layout.above.empty()) append_part(layout.above, wrapped_lines(line, width()), false);
  }
  const hotspots::Hotspots* shown = table();
  if (shown == nullptr) {
    append_part(layout.above, wrapped_lines(waiting_, width()), has_room);
    return layout;
  }
  std::vector<std::string> table_lines = lines_of(text::hotspots_table(*shown, {.width = width()}));
  auto rows = table_lines.begin() + 1;
  auto end = rows + static_cast<ptrdiff_t>(shown->rows.size());
  std::vector<std::string> heading = lines_of(text::hotspots_title(*shown));
  if (!shown->no_shares.empty()) heading.push_back(shown->no_shares);
  if (const std::string& remark = events_[*event()].remark; !remark.empty() && has_room)
    append_part(heading, wrapped_lines(remark, width()), false);
  heading.push_back(table_lines.front());
  append_part(layout.above, heading, has_room);
  layout.rows.assign(rows, end);
  size_t room = size_.rows - std::min(size_.rows, layout.above.size() + kTitleRows);
  std::vector<std::string> why = has_room ? reasons() : std::vector<std::string>();
  if (!why.empty()) append_part(layout.below, {""}, false);
  append_part(layout.below, why, false);
  size_t table_room = std::max(room - room / 2, room - std::min(room, layout.below.size()));
  layout.page = std::max<size_t>(1, std::min(layout.rows.size(), table_room));
  return layout;
}

TopExtent TopScreen::extent() const {
  if (state_.mode == TopState::Mode::kTable) return {row_keys(), layout().page, 0};
  return {{}, size_.rows - std::min(size_.rows, kTitleRows), lines().size()};
}

std::vector<std::string> TopScreen::lines() const {
  if (state_.mode == TopState::Mode::kSource) return code_;
  std::vector<std::string> lines = key_help(top_keys());
  append_part(lines, {"The code of a function, and this help:"}, true);
  append_part(lines, key_help(top_lines_keys()), false);
  append_part(lines, kColumns, true);
  return lines;
}

std::string TopScreen::last_line() const {
  if (state_.mode == TopState::Mode::kTable) {
    std::string rows;
    if (const hotspots::Hotspots* shown = table(); shown != nullptr)
      rows = fmt::format("row {} of {}", row() + 1, text::grouped(shown->rows.size()));
    std::string hints = key_hints(top_keys(), width() - std::min(width(), rows.size() + 2));
    return to_left(hints, width() - std::min(width(), rows.size())) + rows;
  }
  size_t all = lines().size(), page = size_.rows - std::min(size_.rows, kTitleRows);
  return fmt::format("lines {}-{} of {}  {}", std::min(all, state_.scroll + 1),
                     std::min(all, state_.scroll + page), all, key_hints(top_lines_keys(), width()));
}

// The progress fields that fit beside the title.
void TopScreen::draw_title(Picture& picture) const {
  std::string title = state_.stopped ? title_ + "  STOPPED" : title_;
  std::string separator = ": ";
  for (const std::string& field : fields_) {
    if (text::columns_of(title) + text::columns_of(separator) + text::columns_of(field) > width()) break;
    title += separator + field;
    separator = ", ";
  }
  picture.push_back({0, 0, to_left(title, width()), 0, true});
}

void TopScreen::draw_rows(Picture& picture) const {
  Layout parts = layout();
  size_t row = 1;
  for (const std::string& line : parts.above) picture.push_back({row++, 0, line});
  TopExtent all{row_keys(), parts.page, 0};
  size_t first = first_row(state_, all), selected = selected_row(state_, all.rows);
  for (size_t i = first; i < parts.rows.size() && i - first < parts.page; ++i)
    picture.push_back({row++, 0, to_left(parts.rows[i], width()), 0, i == selected});
  size_t end = std::max<size_t>(size_.rows, 1) - 1;
  for (size_t i = 0; i < parts.below.size() && row < end; ++i) {
    bool cuts = row + 1 == end && i + 1 < parts.below.size();
    picture.push_back({row++, 0, cuts ? "…" : parts.below[i]});
  }
}

void TopScreen::draw_lines(Picture& picture) const {
  std::vector<std::string> all = lines();
  size_t page = size_.rows - std::min(size_.rows, kTitleRows);
  size_t first = std::min(state_.scroll, all.size() - std::min(all.size(), page));
  for (size_t i = first; i < all.size() && i - first < page; ++i)
    picture.push_back({1 + i - first, 0, all[i]});
}

Picture TopScreen::draw() const {
  Picture picture;
  draw_title(picture);
  state_.mode == TopState::Mode::kTable ? draw_rows(picture) : draw_lines(picture);
  size_t last = std::max<size_t>(size_.rows, 1) - 1;
  std::erase_if(picture, [last](const Piece& piece) { return piece.row >= last && piece.row != 0; });
  if (last != 0) picture.push_back({last, 0, to_left(last_line(), width()), 0, true});
  mark_cuts(size_, picture);
  return picture;
}

}  // namespace hm::screen
