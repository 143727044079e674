// SPDX-License-Identifier: MIT
// A file of settings in TOML (toml.io, version 1.0), parsed by toml++ and limited to the needs of options:
// lines NAME = VALUE. A VALUE is text in quotes, a number, true or false, or a list of these. Names with
// dots, dates, tables and texts with line ends are rejected, and so are sections, unless the caller names
// one.
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
  size_t line = 0;  // first line is 1
  bool is_list = false;
  std::vector<SettingValue> values;  // one value, unless it is a list
};

// Returns the settings in the order of their lines; no name occurs twice. Texts are non-empty UTF-8 without
// control characters. Fails with kInvalidArgument, the line number and the reason.
[[nodiscard]] Result<std::vector<Setting>> parse_settings(std::string_view text);

// Lines below a [[NAME]].
struct SettingSection {
  size_t line = 0;  // that of [[NAME]]
  std::vector<Setting> settings;
};

struct SectionedSettings {
  std::vector<Setting> common;  // lines above the first section
  std::vector<SettingSection> sections;
};

struct SectionRules {
  std::string_view name;      // sections are [[name]]
  std::string_view any_text;  // setting of a section whose texts may be empty and have line ends and tabs
};

// Same as parse_settings(), for a file with sections.
[[nodiscard]] Result<SectionedSettings> parse_sectioned_settings(std::string_view text,
                                                                 const SectionRules& rules);

// Fails with kNotFound if the file cannot be opened. Fails with kInvalidArgument and its name if it is not a
// regular file of at most 1 MiB. Otherwise like parse_settings().
[[nodiscard]] Result<std::vector<Setting>> read_settings_file(const std::string& path);
[[nodiscard]] Result<SectionedSettings> read_sectioned_settings_file(const std::string& path,
                                                                     const SectionRules& rules);

}  // namespace hm::cli
