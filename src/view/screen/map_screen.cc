// SPDX-License-Identifier: MIT
#include "view/screen/map_screen.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/byte_size.h"
#include "view/screen/screen_lines.h"
#include "view/text/format.h"
#include "view/text/map_text.h"

namespace hm::screen {
namespace {

constexpr size_t kFewestHeatRows = 8, kMaxHeatRows = 64;

const std::vector<std::string> kMapColumns{
    "A page of memory always maps to the same sets of a cache, its region. A row of",
    "the map is a region, a column a window of time. A cell shows how many ways the",
    "region needed to hold all of its recent pages. A region that needs more ways",
    "than the cache has is crowded: lines evict each other there.",
};

uint8_t heat_color(const text::HeatStep& step) {
  constexpr int kSgrRed = 31;  // the terminal's colours begin with red
  return step.color == 0 ? 0 : static_cast<uint8_t>(step.color - kSgrRed + 1);
}

size_t end_of(const std::vector<Piece>& line) {
  return line.empty() ? 0 : line.back().column + text::columns_of(line.back().text);
}

void add_text(std::vector<Piece>& line, std::string text) {
  line.push_back({0, end_of(line), std::move(text)});
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

}  // namespace

void MapScreen::update(map::Map map, size_t windows, uint64_t measured) {
  map_ = std::move(map);
  windows_ = windows;
  measured_ = measured;
}

void MapScreen::show_message(std::string why) {
  map_.reset();
  why_ = std::move(why);
}

void MapScreen::keep_windows(size_t windows) {
  if (state_.back != 0) state_.back = std::min(state_.back + 1, std::max<size_t>(windows, 1) - 1);
}

void MapScreen::press(int key) {
  if (key != kNone && key != kResized) state_ = pressed(state_, key, extent());
}

// Takes at most a quarter of the screen.
std::vector<std::string> MapScreen::conclusion() const {
  std::string text = map_ ? text::map_conclusion(*map_) : why_;
  std::vector<std::string> lines = wrapped_lines(text, size_.columns);
  size_t room = std::max<size_t>(1, size_.rows / 4);
  if (lines.size() <= room) return lines;
  lines.resize(room);
  lines.back() = marked(lines.back() + " …", size_.columns);
  return lines;
}

std::string MapScreen::cell_text(const text::HeatStep& step) const { return text::heat_cell(step, style_); }

MapScreen::Line MapScreen::legend() const {
  Line line;
  add_text(line, fmt::format("ways needed, of {}:", map_->cache.sets.ways));
  for (const text::HeatMeaning& each : text::heat_meanings(*map_)) {
    add_text(line, "  ");
    line.push_back({0, end_of(line), cell_text(*each.step), heat_color(*each.step)});
    add_text(line, " " + each.ways);
  }
  return line;
}

std::vector<MapScreen::Line> MapScreen::heat_map() const {
  size_t most = std::clamp(body_room() - std::min<size_t>(body_room(), 2), kFewestHeatRows, kMaxHeatRows);
  std::vector<text::HeatRow> rows = text::heat_rows(*map_, most);
  size_t margin = std::max(std::string_view("region").size(), rows.back().name.size());
  const char* side = style_.drawing ? "│" : "|";
  size_t windows = map_->columns.size();
  std::vector<Line> lines{{{0, 0, fmt::format("{:>{}} {:<{}}  mean", "region", margin, "", windows + 2)}}};
  for (const text::HeatRow& row : rows) {
    Line line;
    add_text(line, fmt::format("{:>{}} {}", row.name, margin, side));
    for (const text::HeatStep* cell : row.cells)
      line.push_back({0, end_of(line), cell_text(*cell), heat_color(*cell)});
    add_text(line, fmt::format("{}  {:.1f}", side, row.mean));
    lines.push_back(std::move(line));
  }
  std::string end = text::time_text(static_cast<double>(map_->end - map_->begin), map_->unit);
  size_t room = windows > end.size() + 2 ? windows - 2 : end.size();
  lines.push_back({{0, 0, fmt::format("{:{}}0 {:>{}}", "", margin + 2, end, room)}});
  return lines;
}

std::vector<MapScreen::Line> MapScreen::body() const {
  std::vector<Line> lines;
  if (map_ && state_.mode == MapState::Mode::kMap) lines = heat_map();
  std::string text;
  if (state_.mode == MapState::Mode::kHelp)
    text = joined(key_help(map_keys())) + '\n' + joined(kMapColumns);
  else if (map_)
    text = text::map_details(*map_) + '\n' + text::map_source(*map_) + '\n';
  for (const std::string& line : lines_of(text)) {
    if (line.empty()) lines.emplace_back();
    for (std::string& part : wrapped_lines(line, size_.columns)) lines.push_back({{0, 0, std::move(part)}});
  }
  return lines;
}

size_t MapScreen::body_room() const {
  size_t used = 2 + (state_.mode == MapState::Mode::kHelp ? 0 : conclusion().size() + (map_ ? 1 : 0));
  return size_.rows - std::min(size_.rows, used);
}

MapExtent MapScreen::extent() const {
  return {windows_, map_ ? map_->cache.sets.sets : 0, map_ ? map::max_sets(*map_) : 0, body_room(),
          body().size()};
}

std::string MapScreen::title() const {
  std::string window = state_.back == 0
                           ? fmt::format("window {}", measured_)
                           : fmt::format("window {} of {}  STOPPED", measured_ - state_.back, measured_);
  if (!map_) return title_;
  return fmt::format("{}  {} {}, {} ways; {}", title_, map_->cache.name, byte_size_text(map_->cache.bytes()),
                     map_->cache.sets.ways, window);
}

std::string MapScreen::last_line() const {
  size_t all = body().size(), room = body_room();
  std::string more = all > room ? fmt::format("lines {}-{} of {}", std::min(all, state_.scroll + 1),
                                              std::min(all, state_.scroll + room), all)
                                : "";
  size_t columns = size_.columns - std::min(size_.columns, more.size() + (more.empty() ? 0 : 2));
  return to_left(key_hints(map_keys(), columns), size_.columns - std::min(size_.columns, more.size())) + more;
}

Picture MapScreen::draw() const {
  Picture picture{{0, 0, to_left(title(), size_.columns), 0, true}};
  size_t row = 1;
  const auto add = [&](Line line) {
    for (Piece& piece : line) {
      piece.row = row;
      picture.push_back(std::move(piece));
    }
    ++row;
  };
  if (state_.mode == MapState::Mode::kMap) {
    for (std::string& line : conclusion()) add({{0, 0, std::move(line)}});
    if (map_) add(legend());
  }
  std::vector<Line> lines = body();
  size_t room = body_room(), first = std::min(state_.scroll, lines.size() - std::min(lines.size(), room));
  for (size_t i = first; i < lines.size() && i - first < room; ++i) add(std::move(lines[i]));
  size_t last = std::max<size_t>(size_.rows, 1) - 1;
  std::erase_if(picture, [last](const Piece& piece) { return piece.row >= last && piece.row != 0; });
  if (last != 0) picture.push_back({last, 0, marked(last_line(), size_.columns), 0, true});
  mark_cuts(size_, picture);
  return picture;
}

}  // namespace hm::screen
