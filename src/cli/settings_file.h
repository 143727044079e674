// SPDX-License-Identifier: MIT
// A file of settings in TOML (toml.io, version 1.0), as far as options need it: lines NAME = VALUE, whose
// value is text in quotes, a number, true or false, or a list of these. Sections, dates, tables and text of
// several lines are refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hm::cli {

struct SettingValue {
  enum class Kind { kText, kNumber, kFlag };
  Kind kind = Kind::kText;
  std::string text;  // without quotes and escapes; "true", "false"; a number without underscores
};

struct Setting {
  std::string name;
  size_t line = 0;  // 1 is the first
  bool is_list = false;
  std::vector<SettingValue> values;  // one, unless it is a list
};

// kInvalidArgument with the line and what is wrong there. No name stands twice. Texts are UTF-8 without
// control characters, and not empty.
[[nodiscard]] Result<std::vector<Setting>> parse_settings(std::string_view text);

// kNotFound if it cannot be opened, kInvalidArgument with its name if it is no regular file of at most 1 MiB,
// or as parse_settings().
[[nodiscard]] Result<std::vector<Setting>> read_settings_file(const std::string& path);

}  // namespace hm::cli
