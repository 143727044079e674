// SPDX-License-Identifier: MIT
// Handling of keys on an LlcScreen.
#include <algorithm>

#include "view/screen/llc_screen.h"
#include "view/screen/screen_lines.h"

namespace hm::screen {
namespace {

constexpr size_t kMaxValuesAColumn = 16;

}  // namespace

void LlcScreen::press(int key) {
  if (key == kNone || key == kResized) return;
  message_.clear();
  if (is_typing()) return press_while_typing(key);
  if (mode_ == Mode::kRows) return press_in_rows(key);
  press_in_lines(key);
}

void LlcScreen::press_in_rows(int key) {
  if (press_to_choose(key) || press_to_sort(key) || press_to_change_the_view(key)) return;
  press_to_measure(key);
}

bool LlcScreen::press_to_choose(int key) {
  (void)rows();  // updates chosen_
  size_t page = std::max<size_t>(1, size_.rows / 2);
  switch (key) {
    case kUp:
      choose(chosen_ - std::min<size_t>(chosen_, 1));
      return true;
    case kDown:
      choose(chosen_ + 1);
      return true;
    case kPageUp:
      choose(chosen_ - std::min(chosen_, page));
      return true;
    case kPageDown:
      choose(chosen_ + page);
      return true;
    case kHome:
      chosen_key_.clear();
      chosen_ = 0;
      return true;
    case kEnd:
      choose(rows().size());
      return true;
    default:
      return false;
  }
}

bool LlcScreen::press_to_sort(int key) {
  switch (key) {
    case 'M':
      sort_by(LlcSort::kHeld);
      return true;
    case 'B':
      sort_by(LlcSort::kMemory);
      return true;
    case 'L':
      sort_by(LlcSort::kLocal);
      return true;
    case 'N':
      sort_by(LlcSort::kPid);
      return true;
    case 'A':
      sort_by(LlcSort::kName);
      return true;
    case '>':
    case function_key(6):
    case '<':
      next_sort(key != '<');
      return true;
    case 'R':
    case 'I':
      order_.reversed = !order_.reversed;
      rows_.reset();
      return true;
    default:
      return false;
  }
}

bool LlcScreen::press_to_change_the_view(int key) {
  switch (key) {
    case 't':
    case function_key(5):
      order_.tree = !order_.tree;
      rows_.reset();
      return true;
    case '/':
    case function_key(3):
      type(Mode::kSearch, "");
      return true;
    case 'n':
      search_on(true);
      return true;
    case '\\':
    case function_key(4):
      type(Mode::kFilter, order_.filter);
      return true;
    case 'e':
      unit_ = unit_ == LlcUnit::kAuto  ? LlcUnit::kKib
              : unit_ == LlcUnit::kKib ? LlcUnit::kMib
                                       : LlcUnit::kAuto;
      return true;
    case '+':
      values_a_column_ = std::max<size_t>(1, values_a_column_ / 2);
      return true;
    case '-':
      values_a_column_ = std::min(kMaxValuesAColumn, values_a_column_ * 2);
      return true;
    case kEnter:
      if (!rows().empty()) {
        choose(chosen_);
        open(Mode::kDetails);
      }
      return true;
    case 'i':
      open(Mode::kRemarks);
      return true;
    case 'h':
    case '?':
    case function_key(1):
      open(Mode::kHelp);
      return true;
    default:
      return false;
  }
}

void LlcScreen::press_to_measure(int key) {
  switch (key) {
    case 'q':
    case function_key(10):
      finished_ = true;
      return;
    case kEscape:
      leave();
      return;
    case ' ':
      pause();
      return;
    case 'b':
    case 'c':
      next_by();
      return;
    case 'd':
    case 's':
      type(Mode::kDelay, "");
      return;
    default:
      message_ = "unknown key; ? lists the keys";
  }
}

void LlcScreen::press_in_lines(int key) {
  if (scroll_by(key, std::max<size_t>(1, size_.rows / 2), scroll_)) return;
  switch (key) {
    case kHome:
      scroll_ = 0;
      return;
    case ' ':
      pause();
      return;
    default:
      mode_ = Mode::kRows;
  }
}

// The filter takes effect while it is typed.
void LlcScreen::press_while_typing(int key) {
  if (key == kEscape) {
    if (mode_ == Mode::kFilter) order_.filter.clear();
    mode_ = Mode::kRows;
  } else if (key == kEnter) {
    take_what_was_typed();
    mode_ = Mode::kRows;
  } else {
    type_into(typed_, key);
    if (mode_ == Mode::kFilter) order_.filter = typed_;
  }
  rows_.reset();
}

}  // namespace hm::screen
