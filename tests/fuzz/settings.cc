// SPDX-License-Identifier: MIT
// The input is a settings file. A parsed file has no name twice, and one value for each setting that is no
// list. The same holds for a file with sections.
#include <set>

#include "cli/settings_file.h"
#include "input.h"

namespace {

void require_one_line_error(const hm::Error& error) {
  hm::fuzz::require(error.message.starts_with("line "));
  hm::fuzz::require(error.message.find('\n') == std::string::npos);
}

void require_distinct(const std::vector<hm::cli::Setting>& settings, bool any_text) {
  std::set<std::string> names;
  for (const hm::cli::Setting& setting : settings) {
    hm::fuzz::require(names.insert(setting.name).second);
    hm::fuzz::require(setting.is_list || setting.values.size() == 1);
    if (any_text && setting.name == "run") continue;
    for (const hm::cli::SettingValue& value : setting.values) hm::fuzz::require(!value.text.empty());
  }
}

void parse_with_sections(std::string_view text) {
  auto parsed = hm::cli::parse_sectioned_settings(text, {"command", "run"});
  if (!parsed) {
    require_one_line_error(parsed.error());
    return;
  }
  require_distinct(parsed->common, true);
  for (const hm::cli::SettingSection& section : parsed->sections) require_distinct(section.settings, true);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  parse_with_sections(fuzz::text(data, size));
  Result<std::vector<cli::Setting>> settings = cli::parse_settings(fuzz::text(data, size));
  if (settings)
    require_distinct(*settings, false);
  else
    require_one_line_error(settings.error());
  return 0;
}
