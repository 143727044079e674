// SPDX-License-Identifier: MIT
#include "view/screen/llc_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "view/screen/llc_table.h"

namespace hm::screen {
LlcScreen::LlcScreen(std::vector<occupancy::By> possible, double delay_s, bool drawing)
    : possible_(std::move(possible)),
      by_(possible_.empty() ? occupancy::By::kProcess : possible_.front()),
      delay_s_(delay_s),
      drawing_(drawing) {}

void LlcScreen::update(occupancy::Snapshot snapshot) {
  // If rows stand for something else now, the old history and the chosen row are meaningless.
  if (const auto& last = later_ ? later_ : shown_; last && last->by != snapshot.by) {
    history_.clear();
    chosen_key_.clear();
  }
  history_.add(snapshot, paused_);
  if (paused_ && shown_) {
    later_ = std::move(snapshot);
    return;
  }
  rows_.reset();
  shown_ = std::move(snapshot);
  bar_.update(*shown_);
}

void LlcScreen::pause() {
  paused_ = !paused_;
  if (paused_ || !later_) return;
  rows_.reset();
  shown_ = std::move(later_);
  later_.reset();
  bar_.update(*shown_);
}

const std::vector<ShownRow>& LlcScreen::rows() {
  if (!rows_) {
    rows_ = shown_ ? arranged(*shown_, order_, drawing_) : std::vector<ShownRow>();
    find_chosen();
  }
  return *rows_;
}

// If the chosen row has disappeared, the next row takes its place.
void LlcScreen::find_chosen() {
  if (chosen_key_.empty()) {
    chosen_ = 0;
    return;
  }
  auto place = std::ranges::find(*rows_, chosen_key_, [](const ShownRow& each) { return each.row->key; });
  if (place != rows_->end())
    chosen_ = static_cast<size_t>(place - rows_->begin());
  else
    choose(chosen_);
}

void LlcScreen::choose(size_t index) {
  const std::vector<ShownRow>& all = rows();
  chosen_ = std::min(index, std::max<size_t>(all.size(), 1) - 1);
  chosen_key_ = all.empty() ? "" : all[chosen_].row->key;
}

std::string LlcScreen::chosen() {
  const std::vector<ShownRow>& all = rows();
  return chosen_ < all.size() ? all[chosen_].row->key : "";
}

void LlcScreen::sort_by(LlcSort sort) {
  std::vector<LlcSort> sorts = shown_ ? sorts_of(*shown_) : std::vector<LlcSort>();
  if (std::ranges::find(sorts, sort) == sorts.end()) return show_message("no such column");
  order_.sort = sort;
  order_.reversed = false;
  rows_.reset();
}

void LlcScreen::next_sort(bool forward) {
  std::vector<LlcSort> sorts = shown_ ? sorts_of(*shown_) : std::vector<LlcSort>();
  if (sorts.empty()) return;
  auto now = static_cast<size_t>(std::ranges::find(sorts, order_.sort) - sorts.begin());
  sort_by(sorts[(now + (forward ? 1 : sorts.size() - 1)) % sorts.size()]);
}

// Leaves the filter, or the screen if there is no filter.
void LlcScreen::leave() {
  finished_ = order_.filter.empty();
  order_.filter.clear();
  rows_.reset();
}

void LlcScreen::next_by() {
  if (possible_.size() < 2)
    return show_message(fmt::format("a row is a {} here, and nothing else", by_text(by_)));
  auto now = std::ranges::find(possible_, by_);
  by_ = now == possible_.end() || now + 1 == possible_.end() ? possible_.front() : now[1];
  if (paused_) pause();
}

void LlcScreen::open(Mode mode) {
  mode_ = mode;
  scroll_ = 0;
}

bool LlcScreen::is_typing() const {
  return mode_ == Mode::kSearch || mode_ == Mode::kFilter || mode_ == Mode::kDelay;
}

void LlcScreen::type(Mode mode, std::string text) {
  mode_ = mode;
  typed_ = std::move(text);
}

void LlcScreen::take_what_was_typed() {
  if (mode_ == Mode::kSearch) {
    if (!typed_.empty()) search_ = typed_;
    search_on(false);
  } else if (mode_ == Mode::kDelay) {
    take_delay();
  }
}

void LlcScreen::take_delay() {
  double delay = 0;
  const char* end = typed_.data() + typed_.size();
  auto parsed = std::from_chars(typed_.data(), end, delay);
  bool is_one = parsed.ec == std::errc() && parsed.ptr == end;
  if (is_one && delay >= kShortestDelay_s && delay <= kLongestDelay_s)
    delay_s_ = delay;
  else if (!typed_.empty())
    message_ = fmt::format("not a number of seconds from {} to {}", kShortestDelay_s, kLongestDelay_s);
}

// Chooses the first row with the searched text, from the chosen row on (or the next one), and wraps around at
// the end.
void LlcScreen::search_on(bool from_chosen) {
  const std::vector<ShownRow>& all = rows();
  if (search_.empty()) return;
  for (size_t i = 0; i < all.size(); ++i) {
    size_t place = (chosen_ + (from_chosen ? 1 : 0) + i) % all.size();
    if (has_text(*all[place].row, search_)) return choose(place);
  }
  message_ = "no row has '" + search_ + "'";
}

}  // namespace hm::screen
