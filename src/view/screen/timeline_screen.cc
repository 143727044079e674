// SPDX-License-Identifier: MIT
#include "view/screen/timeline_screen.h"

#include <algorithm>

#include "view/screen/screen_lines.h"
#include "view/text/timeline_words.h"

namespace hm::screen {
namespace {

constexpr size_t kSides = 22;  // columns of a row that are not cells
constexpr size_t kFewestCells = 10;
constexpr uint64_t kShortest = 100;  // ns; shorter windows show no more detail

}  // namespace

TimelineScreen::TimelineScreen(const timeline::History& history, std::string about,
                               const timeline::Window& first)
    : history_(&history),
      about_(std::move(about)),
      by_(first.by),
      episodes_(timeline::find_episodes(history.source(), by_)) {
  uint64_t end = std::min(first.to_ns, history.length_ns());
  show_range(first.from_ns, end - std::min(end, first.from_ns));
}

void TimelineScreen::update(const timeline::History& history, std::string about) {
  uint64_t forgotten = history.start_ns() - std::min(history_->start_ns(), history.start_ns());
  history_ = &history;
  about_ = std::move(about);
  episodes_ = timeline::find_episodes(history.source(), by_);
  cursor_ns_ -= std::min(cursor_ns_, forgotten);
  if (following_ns_)
    show_range(history.length_ns(), *following_ns_);
  else
    show_range(begin_ns_ - std::min(begin_ns_, forgotten), end_ns_ - begin_ns_);
}

void TimelineScreen::follow(uint64_t span_ns) { following_ns_ = span_ns; }

void TimelineScreen::resize(Size size) {
  size_ = size;
  seen_.reset();
}

size_t TimelineScreen::cells() const {
  return std::max(kFewestCells, size_.columns - std::min(size_.columns, kSides));
}

uint64_t TimelineScreen::cell_ns() const {
  uint64_t lasts = end_ns_ - begin_ns_;
  return lasts / cells() + (lasts % cells() != 0 ? 1 : 0);
}

size_t TimelineScreen::cursor() const {
  return std::min<uint64_t>((cursor_ns_ - begin_ns_) / cell_ns(), cells() - 1);
}

uint64_t TimelineScreen::cursor_cell_ns() const { return begin_ns_ + cursor() * cell_ns(); }

const timeline::Timeline& TimelineScreen::seen() {
  if (seen_) return *seen_;
  timeline::Window window{.by = by_, .from_ns = begin_ns_, .to_ns = end_ns_, .columns = cells()};
  window.lanes = 0;
  constexpr size_t kMaxSamples = 1000;
  if (mode_ == Mode::kSamples) {
    window.from_ns = cursor_cell_ns();
    window.to_ns = history_->length_ns();
    window.samples = kMaxSamples;
  }
  Result<timeline::Timeline> found = history_->show(window);
  if (!found) message_ = found.error().message;
  seen_ = found ? *std::move(found) : timeline::Timeline();
  return *seen_;
}

void TimelineScreen::press(int key) {
  if (key == kNone || key == kResized) return;
  message_.clear();
  if (mode_ == Mode::kSearch) return press_in_search(key);
  if (mode_ == Mode::kLanes) return press_in_lanes(key);
  if (scroll_by(key, size_.rows / 2, scroll_)) return;
  mode_ = Mode::kLanes;
  scroll_ = 0;
  seen_.reset();
}

void TimelineScreen::press_in_lanes(int key) {
  switch (key) {
    case 'q':
      finished_ = true;
      return;
    case kLeft:
    case kRight:
      return move_cursor(key == kRight);
    case '<':
    case '>':
      return pan(key == '>', (end_ns_ - begin_ns_) / 4);
    case '+':
    case '-':
      return zoom(key == '+');
    case '0':
      following_ns_.reset();
      return show_range(0, history_->length_ns());
    case kUp:
      lane_ -= std::min<size_t>(lane_, 1);
      return;
    case kDown:
      lane_ = std::min(lane_ + 1, std::max<size_t>(seen().lanes.size(), 1) - 1);
      return;
    case 'b':
      return next_by();
    case 'f':
      return follow(end_ns_ - begin_ns_);
    case '/':
      search_.clear();
      mode_ = Mode::kSearch;
      return;
    case 'n':
      return search_on();
    case 'e':
    case 'E':
      return jump_to_episode(key == 'e');
    case kEnter:
      mode_ = Mode::kSamples;
      scroll_ = 0;
      seen_.reset();
      return;
    case 'i':
    case '?':
      mode_ = key == 'i' ? Mode::kAbout : Mode::kHelp;
      scroll_ = 0;
      return;
    default:
      message_ = "unknown key; ? lists the keys";
  }
}

void TimelineScreen::press_in_search(int key) {
  if (key == kEscape) {
    mode_ = Mode::kLanes;
  } else if (key == kEnter) {
    mode_ = Mode::kLanes;
    search_on();
  } else {
    type_into(search_, key);
  }
}

void TimelineScreen::move_cursor(bool right) {
  uint64_t step = cell_ns();
  if (right ? cursor() + 1 < cells() : cursor() > 0)
    cursor_ns_ = right ? std::min(cursor_ns_ + step, end_ns_ - 1) : cursor_ns_ - step;
  else
    pan(right, step);
}

// The cursor keeps its column on the screen.
void TimelineScreen::pan(bool right, uint64_t by_ns) {
  following_ns_.reset();
  uint64_t room = right ? history_->length_ns() - end_ns_ : begin_ns_;
  uint64_t step = std::min(room, std::max<uint64_t>(by_ns, 1));
  cursor_ns_ += right ? step : -step;
  show_range(right ? begin_ns_ + step : begin_ns_ - step, end_ns_ - begin_ns_);
}

// Halves or doubles the window. The cursor keeps its column on the screen.
void TimelineScreen::zoom(bool in) {
  following_ns_.reset();
  uint64_t length = history_->length_ns(), lasts = end_ns_ - begin_ns_;
  uint64_t wanted = in ? std::max(lasts / 2, std::min(kShortest, lasts)) : std::min(2 * lasts, length);
  auto part = static_cast<double>(cursor_ns_ - begin_ns_) / static_cast<double>(lasts);
  auto before = static_cast<uint64_t>(part * static_cast<double>(wanted));
  show_range(cursor_ns_ - std::min(cursor_ns_, before), wanted);
}

// Sets the window, clamped to the length of the run.
void TimelineScreen::show_range(uint64_t begin_ns, uint64_t lasts_ns) {
  uint64_t length = history_->length_ns();
  lasts_ns = std::clamp<uint64_t>(lasts_ns, 1, length);
  begin_ns_ = std::min(begin_ns, length - lasts_ns);
  end_ns_ = begin_ns_ + lasts_ns;
  cursor_ns_ = std::clamp(cursor_ns_, begin_ns_, end_ns_ - 1);
  seen_.reset();
}

void TimelineScreen::center_on(uint64_t time_ns, uint64_t lasts_ns) {
  following_ns_.reset();
  cursor_ns_ = time_ns;
  show_range(time_ns - std::min(time_ns, lasts_ns / 2), lasts_ns);
}

void TimelineScreen::next_by() {
  using timeline::By;
  by_ = by_ == By::kThread                            ? By::kProcess
        : by_ == By::kProcess && history_->has_cpus() ? By::kCpu
                                                      : By::kThread;
  episodes_ = timeline::find_episodes(history_->source(), by_);
  lane_ = 0;
  seen_.reset();
}

// Moves to the next time, after the cursor's cell, at which a function with the searched text in its name
// ran.
void TimelineScreen::search_on() {
  if (search_.empty()) return;
  timeline::Source source = history_->source();
  std::vector<bool> wanted;
  for (const profile::FunctionRow& row : source.profile.functions)
    wanted.push_back(row.name.find(search_) != std::string::npos);
  wanted.push_back(false);  // the idle task
  std::optional<int64_t> next;
  auto from = static_cast<int64_t>(cursor_cell_ns() + cell_ns());
  for (size_t track = 0; track < source.index.series().tracks.size(); ++track) {
    std::optional<int64_t> time = source.index.next_time(track, wanted, from);
    if (time && (!next || *time < *next)) next = time;
  }
  if (next)
    center_on(static_cast<uint64_t>(*next), end_ns_ - begin_ns_);
  else
    message_ = "'" + search_ + "' does not run after the cursor";
}

void TimelineScreen::jump_to_episode(bool forward) {
  const timeline::Episode* next = nullptr;
  for (const timeline::Episode& each : episodes_) {
    if (forward && each.begin_ns > cursor_ns_ && next == nullptr) next = &each;
    if (!forward && each.begin_ns < cursor_ns_) next = &each;
  }
  if (next == nullptr) {
    message_ = episodes_.empty() ? "no episode was found" : "no more episodes in this direction";
    return;
  }
  constexpr uint64_t kTimesAsLong = 10;
  uint64_t wide = kTimesAsLong * std::max(next->end_ns - next->begin_ns, kShortest);
  center_on(next->begin_ns, std::min(end_ns_ - begin_ns_, wide));
  message_ = text::episode_line(*next, history_->unit());
}

}  // namespace hm::screen
