// SPDX-License-Identifier: MIT
#include "view/screen/map_state.h"

#include <algorithm>
#include <array>

#include "view/screen/picture.h"

namespace hm::screen {
namespace {

using MapAction = KeyAction<MapState, MapExtent>;

constexpr std::array<std::string_view, 3> kLevels{"l1d", "l2", "l3"};

size_t oldest(const MapExtent& extent) { return std::max<size_t>(extent.windows, 1) - 1; }

MapState stop_or_go_on(MapState state, const MapExtent& extent) {
  state.back = state.back == 0 ? std::min<size_t>(1, oldest(extent)) : 0;
  return state;
}

MapState step_back(MapState state, const MapExtent& extent) {
  state.back = std::min(state.back + 1, oldest(extent));
  return state;
}

MapState step_forward(MapState state, const MapExtent& /*extent*/) {
  state.back -= std::min<size_t>(state.back, 1);
  return state;
}

MapState next_level(MapState state, const MapExtent& /*extent*/) {
  auto now = std::ranges::find(kLevels, state.level);
  state.level = now == kLevels.end() || now + 1 == kLevels.end() ? kLevels.front() : now[1];
  state.scale = 0;
  return state;
}

MapState half(MapState state, const MapExtent& extent) {
  if (extent.all_sets % 2 == 0 && extent.all_sets != 0) --state.scale;
  return state;
}

MapState twice(MapState state, const MapExtent& extent) {
  if (extent.all_sets != 0 && extent.all_sets <= extent.max_sets / 2) ++state.scale;
  return state;
}

MapState scroll_to(MapState state, size_t line, const MapExtent& extent) {
  state.scroll = std::min(line, extent.lines - std::min(extent.lines, extent.page));
  return state;
}

MapState help_or_map(MapState state, const MapExtent& /*extent*/) {
  state.mode = state.mode == MapState::Mode::kMap ? MapState::Mode::kHelp : MapState::Mode::kMap;
  state.scroll = 0;
  return state;
}

MapState leave_map(MapState state, const MapExtent& extent) {
  if (state.mode == MapState::Mode::kHelp) return help_or_map(std::move(state), extent);
  state.finished = true;
  return state;
}

const std::vector<MapAction>& map_actions() {
  static const std::vector<MapAction> kActions{
      {{'?', 'h', function_key(1)}, {"?, h, F1", "this help", "? help"}, help_or_map},
      {{'q', function_key(10)}, {"q, F10, Ctrl-C", "end, or leave the help", "q quit"}, leave_map},
      {{' '}, {"Space", "stop or go on: the measurement continues", "Space stop"}, stop_or_go_on},
      {{kLeft}, {"Left", "a window back, and stop", "←→ step"}, step_back},
      {{kRight}, {"Right", "a window forward; after the last one, go on", ""}, step_forward},
      {{'l'}, {"l", "the next level: L1 data, L2, L3", "l level"}, next_level},
      {{'['}, {"[", "a cache with half as many sets", "[ ] half, twice"}, half},
      {{']'}, {"]", "a cache with twice as many sets, up to the largest", ""}, twice},
      {{'s'},
       {"s", "single sets, or regions of pages", "s sets"},
       [](MapState state, const MapExtent&) {
         state.sets = !state.sets;
         return state;
       }},
      {{kUp, 'k'},
       {"j, k, Up, Down, Page Up, Page Down", "scroll", "j k scroll"},
       [](MapState state, const MapExtent& extent) {
         return scroll_to(state, state.scroll - std::min<size_t>(state.scroll, 1), extent);
       }},
      {{kDown, 'j'},
       {},
       [](MapState state, const MapExtent& extent) { return scroll_to(state, state.scroll + 1, extent); }},
      {{kPageUp},
       {},
       [](MapState state, const MapExtent& extent) {
         return scroll_to(state, state.scroll - std::min(state.scroll, extent.page), extent);
       }},
      {{kPageDown},
       {},
       [](MapState state, const MapExtent& extent) {
         return scroll_to(state, state.scroll + extent.page, extent);
       }},
      {{kEscape, kBackspace},
       {"Esc, Backspace", "leave the help", ""},
       [](MapState state, const MapExtent& extent) {
         return state.mode == MapState::Mode::kHelp ? help_or_map(state, extent) : state;
       }},
  };
  return kActions;
}

}  // namespace

MapState pressed(MapState state, int key, const MapExtent& extent) {
  return after_key(std::span<const MapAction>(map_actions()), key, std::move(state), extent);
}

std::vector<KeyText> map_keys() { return texts_of(std::span<const MapAction>(map_actions())); }

}  // namespace hm::screen
