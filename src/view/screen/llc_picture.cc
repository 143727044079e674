// SPDX-License-Identifier: MIT
// Drawing of an LlcScreen. From top to bottom: title, cache occupancy, bar, remarks, rows, history of the
// chosen row, and a line for messages. A terminal with few rows shows fewer of these parts.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "view/screen/llc_screen.h"
#include "view/screen/llc_table.h"
#include "view/screen/screen_lines.h"
#include "view/text/format.h"

namespace hm::screen {
namespace {

// Minimum number of terminal rows at which each part is shown.
constexpr size_t kRowsForHead = 6, kRowsForBar = 8, kRowsForLegend = 10, kRowsForRemarks = 13,
                 kRowsForPlot = 18;
constexpr size_t kLabelColumns = 10;  // of the plot's left axis

double most_of(const std::vector<PlotValue>& values) {
  double most = 0;
  for (const PlotValue& each : values) most = std::max(most, each.value.value_or(0));
  return most;
}

std::string ago_text(uint64_t ns) {
  double seconds = static_cast<double>(ns) * 1e-9;
  if (seconds < 0.05) return "0 s";
  if (seconds < 10) return fmt::format("-{:.1f} s", seconds);
  return seconds < 600 ? fmt::format("-{:.0f} s", seconds) : fmt::format("-{:.0f} min", seconds / 60);
}

}  // namespace

Picture LlcScreen::draw() {
  Picture picture;
  draw_title(picture);
  if (mode_ == Mode::kDetails || mode_ == Mode::kRemarks || mode_ == Mode::kHelp)
    draw_lines(picture);
  else if (shown_)
    draw_rows(picture);
  else
    picture.push_back({1, 0, "nothing has been measured yet"});
  draw_status(picture);
  mark_cuts(size_, picture);
  if (!drawing_) mark_in_ascii(picture);
  return picture;
}

void LlcScreen::draw_title(Picture& picture) const {
  std::string title = fmt::format("hardmeter llc  by {}", by_text(shown_ ? shown_->by : by_));
  if (paused_) title += "  PAUSED";
  if (shown_) title += fmt::format("  {:.1f} s", shown_->elapsed_s);
  title += fmt::format("  every {:g} s", delay_s_);
  if (!order_.filter.empty()) title += fmt::format("  filter '{}'", text::printable(order_.filter));
  picture.push_back({0, 0, to_left(title, size_.columns), 0, true});
}

std::vector<std::string> LlcScreen::head_lines() const {
  return wrapped_lines(fmt::format("{}: {} by {}", who_measured(*shown_), sum_text(*shown_, unit_),
                                   text::count_of(shown_->rows.size(), "row", "rows")),
                       size_.columns);
}

void LlcScreen::draw_rows(Picture& picture) {
  size_t row = draw_head(picture);
  size_t plot = plot_rows(row), below = 1 + plot;
  size_t room = size_.rows - std::min(size_.rows, row + below);
  draw_table(row, room, picture);
  if (plot != 0) draw_plot(size_.rows - below, plot - 2, picture);
}

// Returns the first row below the head.
size_t LlcScreen::draw_head(Picture& picture) const {
  size_t row = 1;
  const auto add = [&](const std::vector<std::string>& lines, size_t most) {
    for (size_t i = 0; i < lines.size() && i < most; ++i) picture.push_back({row++, 0, lines[i]});
  };
  if (size_.rows >= kRowsForHead) add(head_lines(), 2);
  if (size_.rows >= kRowsForBar) bar_.draw_bar(row++, size_.columns, drawing_, picture);
  if (size_.rows >= kRowsForLegend) bar_.draw_legend(row++, size_.columns, unit_, picture);
  std::vector<std::string> remarks;
  for (const std::string& each : shown_->remarks)
    std::ranges::move(wrapped_lines("! " + text::printable(each), size_.columns),
                      std::back_inserter(remarks));
  size_t most = size_.rows < kRowsForRemarks ? 0 : size_.rows / 8;
  if (remarks.size() > most && most != 0) {
    remarks.resize(most);
    remarks.back() = "! more remarks: press i";
  }
  add(remarks, most);
  return row;
}

void LlcScreen::draw_table(size_t row, size_t room, Picture& picture) {
  if (room == 0) return;
  const std::vector<ShownRow>& all = rows();
  std::vector<LlcColumn> columns = llc_columns(*shown_, order_, size_.columns);
  if (room > 1) {
    picture.push_back({row++, 0, to_left(llc_heading(columns, order_, drawing_), size_.columns), 0, true});
    --room;
  }
  if (chosen_ < first_) first_ = chosen_;
  if (chosen_ >= first_ + room) first_ = chosen_ - room + 1;
  first_ = std::min(first_, all.size() - std::min(all.size(), room));
  std::optional<size_t> mark_place = place_of(LlcColumnIs::kMark, columns);
  std::optional<size_t> history_place = place_of(LlcColumnIs::kHistory, columns);
  for (size_t i = first_; i < all.size() && i - first_ < room; ++i, ++row) {
    const std::string& key = all[i].row->key;
    bool is_chosen = i == chosen_;
    picture.push_back({row, 0, llc_line(columns, *shown_, all[i], unit_), 0, is_chosen});
    std::optional<LlcBar::Mark> mark = bar_.mark_of(key);
    uint8_t color = mark ? mark->color : 0;
    if (mark_place && mark) picture.push_back({row, *mark_place, std::string(1, mark->letter), color, true});
    if (!history_place) continue;
    size_t width = std::ranges::find(columns, LlcColumnIs::kHistory, &LlcColumn::is)->width;
    std::vector<PlotValue> values = values_of(key, width);
    picture.push_back(
        {row, *history_place, sparkline(values, width, most_of(values), drawing_), color, false});
  }
}

// Returns the values for the last `columns` columns.
std::vector<PlotValue> LlcScreen::values_of(const std::string& key, size_t columns) const {
  std::vector<PlotValue> values = condensed(history_.of(key, shown_->time_ns), values_a_column_);
  if (values.size() > columns) values.erase(values.begin(), values.end() - static_cast<ptrdiff_t>(columns));
  return values;
}

// Returns the height of the plot with its title and axis, 0 if it is not shown. It uses the rows that the
// table leaves free; the table begins at row `table`.
size_t LlcScreen::plot_rows(size_t table) {
  constexpr size_t kFewest = 7, kMost = 17;
  if (size_.columns < 2 * kLabelColumns || size_.rows < kRowsForPlot) return 0;
  size_t others = table + 1 + rows().size() + 1;  // a heading, the status line
  return std::clamp(size_.rows - std::min(size_.rows, others + 1), kFewest, kMost);
}

void LlcScreen::draw_plot(size_t row, size_t height, Picture& picture) {
  const std::vector<ShownRow>& all = rows();
  if (chosen_ >= all.size()) return;
  const occupancy::Row& chosen = *all[chosen_].row;
  size_t columns = size_.columns - kLabelColumns - 1;
  std::vector<PlotValue> values = values_of(chosen.key, columns);
  double most = most_of(values);
  std::string title = chosen.occupancy_bytes ? held_text(chosen, unit_) + " held" : "not measured now:";
  if (std::string interval = interval_text(chosen, unit_); !interval.empty())
    title += fmt::format(", between {},", interval);
  title += (chosen.occupancy_bytes ? " by " : " ") + text::printable(chosen.name);
  picture.push_back({row++, 0, title});
  std::vector<std::string> lines = plot(values, columns, height, most, drawing_);
  std::optional<LlcBar::Mark> mark = bar_.mark_of(chosen.key);
  for (size_t i = 0; i < height; ++i, ++row) {
    std::string label =
        i == 0 && most > 0 ? amount_text(most, unit_)
        : i + 1 == height  ? "0"
        : i == height / 2 && most > 0
            ? amount_text(most * static_cast<double>(height - i) / static_cast<double>(height), unit_)
            : "";
    picture.push_back({row, 0, to_right(label, kLabelColumns) + (drawing_ ? "│" : "|")});
    picture.push_back({row, kLabelColumns + 1, lines[i], mark ? mark->color : uint8_t{0}, false});
  }
  if (!values.empty()) draw_times(row, columns - values.size(), columns, picture);
}

// Writes the times of the first and the last value below them.
void LlcScreen::draw_times(size_t row, size_t first, size_t columns, Picture& picture) const {
  constexpr std::string_view kNow = "now";
  std::string from = ago_text(history_.age_ns((columns - first) * values_a_column_ - 1, shown_->time_ns));
  size_t end = columns - std::min(columns, kNow.size());
  picture.push_back({row, kLabelColumns + 1 + end, std::string(kNow)});
  size_t last = end - std::min(end, from.size() + 1);
  picture.push_back({row, kLabelColumns + 1 + std::min(first, last), text::begun(from, end)});
}

std::vector<std::string> LlcScreen::lines() {
  if (mode_ == Mode::kHelp) return llc_help();
  if (!shown_) return {};
  if (mode_ == Mode::kDetails) {
    const std::vector<ShownRow>& all = rows();
    if (chosen_ >= all.size()) return {"no rows"};
    const ShownRow& row = all[chosen_];
    return detail_lines(*shown_, row, history_.of(row.row->key, shown_->time_ns), unit_);
  }
  std::vector<std::string> all{"measured by " + who_measured(*shown_), sum_text(*shown_, unit_)};
  if (shown_->is_modelled)
    all.emplace_back(
        "The cache is a model that the programs' accesses pass through, not this machine's own.");
  if (!shown_->has_total_bandwidth) all.emplace_back("Memory's bandwidth cannot be measured here.");
  for (const std::string& each : shown_->remarks) all.push_back(text::printable(each));
  return all;
}

void LlcScreen::draw_lines(Picture& picture) {
  std::vector<std::string> wrapped;
  for (const std::string& each : lines()) {
    std::vector<std::string> some = wrapped_lines(each, size_.columns);
    if (some.empty()) some.emplace_back();
    std::ranges::move(some, std::back_inserter(wrapped));
  }
  size_t room = size_.rows - std::min<size_t>(size_.rows, 2);
  scroll_ = std::min(scroll_, wrapped.size() - std::min(wrapped.size(), std::max<size_t>(room, 1)));
  for (size_t i = scroll_; i < wrapped.size() && i - scroll_ < room; ++i)
    picture.push_back({1 + i - scroll_, 0, wrapped[i]});
}

void LlcScreen::draw_status(Picture& picture) const {
  if (size_.rows < 2) return;
  picture.push_back({size_.rows - 1, 0, to_left(status(), size_.columns), 0, true});
}

std::string LlcScreen::status() const {
  if (mode_ == Mode::kSearch) return "search: " + text::printable(typed_) + "_";
  if (mode_ == Mode::kFilter) return "filter: " + text::printable(typed_) + "_";
  if (mode_ == Mode::kDelay) return "seconds between two refreshes: " + text::printable(typed_) + "_";
  if (!message_.empty()) return text::printable(message_);
  if (mode_ != Mode::kRows) return "Up, Down, Page Up, Page Down; any other key: back";
  if (!ended_.empty()) return ended_ + "; q end";
  if (paused_) return "paused: Space goes on";
  return "? help  q end  Enter details  > sort  t tree  / search  \\ filter  b by  Space pause";
}

}  // namespace hm::screen
