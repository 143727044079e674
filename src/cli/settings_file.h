// SPDX-License-Identifier: MIT
// A file of settings in TOML (toml.io, version 1.0), parsed by toml++ and limited to what options need: lines
// NAME = VALUE, whose value is text in quotes, a number, true or false, or a list of these. Sections, names
// with dots, dates, tables and texts with line ends are refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hm::cli {

struct SettingValue {
  enum class Kind { kText, kNumber, kFlag };
  Kind kind = Kind::kText;
  std::string text;  // without quotes and escapes; "true", "false"; a number in decimal notation
};

struct Setting {
  std::string name;
  size_t line = 0;  // 1 is the first
  bool is_list = false;
  std::vector<SettingValue> values;  // one, unless it is a list
};

// Returns the settings in the order of their lines; no name occurs twice. Texts are UTF-8 without control
// characters, and not empty. Fails with kInvalidArgument, the line, and what is wrong there.
[[nodiscard]] Result<std::vector<Setting>> parse_settings(std::string_view text);

// kNotFound if it cannot be opened, kInvalidArgument with its name if it is no regular file of at most 1 MiB,
// or as parse_settings().
[[nodiscard]] Result<std::vector<Setting>> read_settings_file(const std::string& path);

}  // namespace hm::cli
