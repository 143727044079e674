// SPDX-License-Identifier: MIT
// The keys of a screen in one table. The table selects the action of a pressed key, and provides the texts of
// the help and of the screen's last line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hm::screen {

struct KeyText {
  std::string_view names;   // "Up, k"; empty: the key is among the names of another row
  std::string_view effect;  // for the help: "select the row above"
  std::string_view hint;    // for the last line of the screen: "e event"; empty: not there
};

// A row of the table. `Extent` is the other input of an action beside the state: the number of rows, for
// example.
template <typename State, typename Extent>
struct KeyAction {
  std::vector<int> keys;
  KeyText text;
  State (*apply)(State, const Extent&);
};

// Returns the state after a key. A key that is not in the table changes nothing.
template <typename State, typename Extent>
[[nodiscard]] State after_key(std::span<const KeyAction<State, Extent>> table, int key, State state,
                              const Extent& extent) {
  for (const KeyAction<State, Extent>& each : table) {
    if (std::ranges::find(each.keys, key) != each.keys.end()) return each.apply(std::move(state), extent);
  }
  return state;
}

template <typename State, typename Extent>
[[nodiscard]] std::vector<KeyText> texts_of(std::span<const KeyAction<State, Extent>> table) {
  std::vector<KeyText> texts;
  for (const KeyAction<State, Extent>& each : table) texts.push_back(each.text);
  return texts;
}

// Returns a line for each text with names.
[[nodiscard]] std::vector<std::string> key_help(const std::vector<KeyText>& keys);
// Returns the hints that fit into a line of `columns`, first ones first. "…" at the end stands for others.
[[nodiscard]] std::string key_hints(const std::vector<KeyText>& keys, size_t columns);

}  // namespace hm::screen
