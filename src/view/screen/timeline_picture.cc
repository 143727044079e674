// SPDX-License-Identifier: MIT
// Drawing of a TimelineScreen.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "symbol/display_name.h"
#include "view/screen/screen_lines.h"
#include "view/screen/timeline_screen.h"
#include "view/text/format.h"
#include "view/text/timeline_text.h"
#include "view/text/timeline_words.h"

namespace hm::screen {
namespace {

constexpr size_t kNameColumns = 18, kTimeColumns = 9, kCyclesColumns = 13;

uint8_t color_of(size_t column, const std::vector<timeline::Function>& functions) {
  char letter = text::letter_of(column, functions);
  return letter >= 'a' && letter <= 'z' ? static_cast<uint8_t>(1 + column % kColors) : 0;
}

const std::vector<std::string> kHelp{
    "Left, Right    move the cursor by a cell, and the window at its edges",
    "< >            move the window by a quarter",
    "+ -            look at half or twice the time, around the cursor",
    "0              the whole run",
    "Up, Down       choose a row",
    "b              rows by thread, process, CPU",
    "/              search a function: letters of its name, Enter",
    "n              its next time",
    "e E            the next or previous episode, in which a function ran far more than usual",
    "Enter          the samples from the cursor's cell on, with their branches in order",
    "f              running processes: follow new samples until the window is moved",
    "i              about the recording, and its limits",
    "?              this",
    "q              end",
};

}  // namespace

Picture TimelineScreen::draw() {
  Picture picture;
  draw_head(picture);
  if (mode_ == Mode::kHelp) {
    draw_lines(kHelp, picture);
  } else if (mode_ == Mode::kAbout) {
    draw_lines(wrapped_lines(about_ + text::timeline_head(seen()), size_.columns), picture);
  } else if (mode_ == Mode::kSamples) {
    (void)seen();
    draw_lines(sample_lines(), picture);
  } else {
    size_t legend = std::min(seen().functions.size() + 1, size_.rows / 2);
    size_t room = size_.rows - std::min(size_.rows, legend + 4);
    draw_legend(draw_lanes(picture, room) + 1, picture);
  }
  draw_status(picture);
  // Cuts pieces that extend beyond the screen, so that the terminal does not wrap them.
  std::erase_if(picture,
                [&](const Piece& piece) { return piece.row >= size_.rows || piece.column >= size_.columns; });
  for (Piece& piece : picture) {
    size_t room = size_.columns - piece.column;
    if (text::columns_of(piece.text) > room) piece.text = text::elided(piece.text, room);
  }
  return picture;
}

std::string TimelineScreen::time(uint64_t at) const {
  return text::time_text(static_cast<double>(at), history_->unit());
}

void TimelineScreen::draw_head(Picture& picture) {
  std::string title =
      fmt::format("{}  {} to {} of {}  cells of {}  by {}", text::printable(seen().event), time(begin_ns_),
                  time(end_ns_), time(history_->length_ns()), time(cell_ns()), timeline::name_of(by_));
  if (following_ns_) title += "  following";
  title.resize(std::max(title.size(), size_.columns), ' ');
  picture.push_back({0, 0, std::move(title), 0, true});
}

// Draws as many lanes as fit, including the chosen one. Returns the row of the axis below them.
size_t TimelineScreen::draw_lanes(Picture& picture, size_t room) {
  const timeline::Timeline& line = seen();
  lane_ = std::min(lane_, std::max<size_t>(line.lanes.size(), 1) - 1);
  size_t height = 1 + line.counts.size(), shown = std::max<size_t>(1, room / height);
  if (lane_ < scroll_) scroll_ = lane_;
  if (lane_ >= scroll_ + shown) scroll_ = lane_ - shown + 1;
  size_t row = 1;
  for (size_t i = scroll_; i < line.lanes.size() && i < scroll_ + shown; ++i, row += height)
    draw_lane(line.lanes[i], row, i == lane_, picture);
  std::string begin = time(begin_ns_), end = time(end_ns_);
  picture.push_back({row, kNameColumns + 2, begin});
  size_t right = kNameColumns + 2 + cells();
  picture.push_back({row, right - std::min(right, end.size()), end});
  return row;
}

void TimelineScreen::draw_lane(const timeline::Lane& lane, size_t row, bool chosen, Picture& picture) const {
  picture.push_back({row, 0, text::elided(text::printable(lane.name), kNameColumns), 0, chosen});
  for (size_t i = 0; i < lane.bins.size(); ++i) {
    const timeline::Bin& bin = lane.bins[i];
    size_t column = bin.ns.empty() ? 0 : text::longest_named(bin);
    std::string letter(1, bin.ns.empty() ? ' ' : text::letter_of(column, seen_->functions));
    uint8_t color = bin.ns.empty() ? 0 : color_of(column, seen_->functions);
    picture.push_back({row, kNameColumns + 2 + i, std::move(letter), color, i == cursor()});
  }
  for (size_t k = 0; k < lane.counts.size(); ++k) {
    std::string shades;
    for (double count : lane.counts[k]) shades += text::shade_of(count, seen_->counts[k].most);
    picture.push_back(
        {row + 1 + k, 0, text::elided("  " + text::printable(seen_->counts[k].event), kNameColumns)});
    picture.push_back({row + 1 + k, kNameColumns + 2, std::move(shades)});
  }
}

void TimelineScreen::draw_legend(size_t row, Picture& picture) {
  const timeline::Timeline& line = seen();
  double all = line.other_ns;
  for (const timeline::Function& each : line.functions) all += each.ns;
  for (size_t i = 0; i <= line.functions.size() && row + 2 < size_.rows; ++i) {
    bool named = i < line.functions.size();
    double ns = named ? line.functions[i].ns : line.other_ns;
    if (ns <= 0) continue;
    std::string name = named ? text::printable(symbol::display_name(line.functions[i].name)) : "(others)";
    picture.push_back(
        {row, 0, std::string(1, text::letter_of(i, line.functions)), color_of(i, line.functions)});
    picture.push_back({row++, 3,
                       fmt::format("{:>{}}  {:>6}  {}", text::time_text(ns, line.unit),
                                   line.unit == profile::TimeUnit::kCycles ? kCyclesColumns : kTimeColumns,
                                   text::percent(ns / std::max(all, 1.0)), name)});
  }
}

void TimelineScreen::draw_status(Picture& picture) {
  std::vector<std::string> lines = wrapped_lines(status(), size_.columns);
  for (size_t i = 0; i < lines.size() && i < size_.rows; ++i) {
    lines[i].resize(std::max(lines[i].size(), size_.columns), ' ');
    picture.push_back({size_.rows - std::min(lines.size(), size_.rows) + i, 0, lines[i], 0, true});
  }
}

std::string TimelineScreen::status() const {
  if (mode_ == Mode::kSearch) return "search: " + text::printable(search_) + "_";
  if (mode_ != Mode::kLanes) return "Up, Down, Page Up, Page Down; any other key: back";
  if (!message_.empty()) return text::printable(message_);
  return fmt::format("at {}; {}; ? help, i about, q end", time(cursor_ns_),
                     text::count_of(episodes_.size(), "episode", "episodes"));
}

void TimelineScreen::draw_lines(const std::vector<std::string>& lines, Picture& picture) {
  size_t room = size_.rows - std::min<size_t>(size_.rows, 2);
  scroll_ = std::min(scroll_, lines.size() - std::min(lines.size(), std::max<size_t>(room, 1)));
  for (size_t i = scroll_; i < lines.size() && i - scroll_ < room; ++i)
    picture.push_back({1 + i - scroll_, 0, lines[i]});
}

std::vector<std::string> TimelineScreen::sample_lines() const {
  std::vector<std::string> lines;
  for (const timeline::Moment& moment : seen_->moments) {
    std::ranges::move(wrapped_lines(text::moment_line(moment, seen_->unit), size_.columns),
                      std::back_inserter(lines));
  }
  if (lines.empty()) lines.emplace_back("no sample was taken from this time on");
  return lines;
}

}  // namespace hm::screen
