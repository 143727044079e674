// SPDX-License-Identifier: MIT
#include "view/screen/top_state.h"

#include <algorithm>

#include "view/screen/picture.h"

namespace hm::screen {
namespace {

using TopAction = KeyAction<TopState, TopExtent>;

size_t less(size_t number, size_t by) { return number - std::min(number, by); }

TopState select(TopState state, size_t row, const TopExtent& extent) {
  if (extent.rows.empty()) return state;
  state.row = std::min(row, extent.rows.size() - 1);
  state.selected = state.row == 0 ? "" : extent.rows[state.row];
  state.first = first_row(state, extent);
  return state;
}

TopState move_up(const TopState& state, const TopExtent& extent, size_t by) {
  return select(state, less(selected_row(state, extent.rows), by), extent);
}

TopState move_down(const TopState& state, const TopExtent& extent, size_t by) {
  return select(state, selected_row(state, extent.rows) + by, extent);
}

TopState scrolled(TopState state, size_t scroll, const TopExtent& extent) {
  state.scroll = std::min(scroll, less(extent.lines, extent.page));
  return state;
}

TopState opened(TopState state, TopState::Mode mode) {
  state.mode = mode;
  state.scroll = 0;
  return state;
}

TopState open_source(TopState state, const TopExtent& extent) {
  if (extent.rows.empty()) return state;
  return opened(select(state, selected_row(state, extent.rows), extent), TopState::Mode::kSource);
}

// The rows of another table begin at its first row, unless it has the selected one.
TopState other_table(TopState state) {
  state.row = state.first = 0;
  return state;
}

TopState next_event(TopState state, const TopExtent& /*extent*/) {
  ++state.event;
  return other_table(std::move(state));
}

TopState lines_or_functions(TopState state, const TopExtent& /*extent*/) {
  state.by_line = !state.by_line;
  state.selected.clear();
  return other_table(std::move(state));
}

const std::vector<TopAction>& table_actions() {
  static const std::vector<TopAction> kActions{
      {{'?', 'h', function_key(1)},
       {"?, h, F1", "this help", "? help"},
       [](TopState state, const TopExtent&) { return opened(std::move(state), TopState::Mode::kHelp); }},
      {{'q', function_key(10)},
       {"q, F10, Ctrl-C", "end", "q quit"},
       [](TopState state, const TopExtent&) {
         state.finished = true;
         return state;
       }},
      {{kEnter}, {"Enter", "the code of the selected function, with its samples", "Enter code"}, open_source},
      {{kUp, 'k'},
       {"j, k, Up, Down", "select the next row, the row above", "j k select"},
       [](TopState state, const TopExtent& extent) { return move_up(state, extent, 1); }},
      {{kDown, 'j'}, {}, [](TopState state, const TopExtent& extent) { return move_down(state, extent, 1); }},
      {{kPageUp},
       {"Page Up, Page Down", "a page of rows", ""},
       [](TopState state, const TopExtent& extent) { return move_up(state, extent, extent.page); }},
      {{kPageDown},
       {},
       [](TopState state, const TopExtent& extent) { return move_down(state, extent, extent.page); }},
      {{kHome, 'g'},
       {"Home, g, End, G", "the first row, the last row", ""},
       [](TopState state, const TopExtent& extent) { return select(std::move(state), 0, extent); }},
      {{kEnd, 'G'},
       {},
       [](TopState state, const TopExtent& extent) {
         return select(std::move(state), extent.rows.size(), extent);
       }},
      {{'e'}, {"e", "the next event", "e event"}, next_event},
      {{'l'}, {"l", "lines or functions", "l lines"}, lines_or_functions},
      {{'w'},
       {"w", "show or hide why the hottest places miss", "w why"},
       [](TopState state, const TopExtent&) {
         state.reasons = !state.reasons;
         return state;
       }},
      {{' '},
       {"Space", "stop or go on: the measurement continues", "Space stop"},
       [](TopState state, const TopExtent&) {
         state.stopped = !state.stopped;
         return state;
       }},
  };
  return kActions;
}

TopState scroll_up(const TopState& state, const TopExtent& extent, size_t by) {
  return scrolled(state, less(state.scroll, by), extent);
}

const std::vector<TopAction>& lines_actions() {
  static const std::vector<TopAction> kActions{
      {{'q', kEscape, kBackspace, kEnter},
       {"q, Esc, Backspace", "back to the rows", "q back"},
       [](TopState state, const TopExtent&) { return opened(std::move(state), TopState::Mode::kTable); }},
      {{kUp, 'k'},
       {"j, k, Up, Down", "scroll by a line", "j k scroll"},
       [](TopState state, const TopExtent& extent) { return scroll_up(state, extent, 1); }},
      {{kDown, 'j'},
       {},
       [](TopState state, const TopExtent& extent) { return scrolled(state, state.scroll + 1, extent); }},
      {{kPageUp},
       {"Page Up, Page Down, Space", "scroll by a page", "Space page"},
       [](TopState state, const TopExtent& extent) { return scroll_up(state, extent, extent.page); }},
      {{kPageDown, ' '},
       {},
       [](TopState state, const TopExtent& extent) {
         return scrolled(state, state.scroll + extent.page, extent);
       }},
      {{kHome, 'g'},
       {"Home, g, End, G", "the first line, the last line", ""},
       [](TopState state, const TopExtent& extent) { return scrolled(std::move(state), 0, extent); }},
      {{kEnd, 'G'},
       {},
       [](TopState state, const TopExtent& extent) {
         return scrolled(std::move(state), extent.lines, extent);
       }},
  };
  return kActions;
}

}  // namespace

TopState pressed(TopState state, int key, const TopExtent& extent) {
  const std::vector<TopAction>& actions =
      state.mode == TopState::Mode::kTable ? table_actions() : lines_actions();
  return after_key(std::span<const TopAction>(actions), key, std::move(state), extent);
}

size_t selected_row(const TopState& state, const std::vector<std::string>& rows) {
  if (state.selected.empty() || rows.empty()) return 0;
  auto place = std::ranges::find(rows, state.selected);
  return place != rows.end() ? static_cast<size_t>(place - rows.begin())
                             : std::min(state.row, rows.size() - 1);
}

size_t first_row(const TopState& state, const TopExtent& extent) {
  size_t page = std::max<size_t>(extent.page, 1), row = selected_row(state, extent.rows);
  size_t first = std::min(state.first, less(extent.rows.size(), page));
  return std::clamp(first, less(row + 1, page), row);
}

std::vector<KeyText> top_keys() { return texts_of(std::span<const TopAction>(table_actions())); }

std::vector<KeyText> top_lines_keys() { return texts_of(std::span<const TopAction>(lines_actions())); }

}  // namespace hm::screen
