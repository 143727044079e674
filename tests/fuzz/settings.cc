// SPDX-License-Identifier: MIT
// The input is a settings file. A parsed file has no name twice, and one value for each setting that is no
// list.
#include <set>

#include "cli/settings_file.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  Result<std::vector<cli::Setting>> settings = cli::parse_settings(fuzz::text(data, size));
  if (!settings) {
    fuzz::require(settings.error().message.starts_with("line "));
    fuzz::require(settings.error().message.find('\n') == std::string::npos);
    return 0;
  }
  std::set<std::string> names;
  for (const cli::Setting& setting : *settings) {
    fuzz::require(names.insert(setting.name).second);
    fuzz::require(setting.is_list || setting.values.size() == 1);
    for (const cli::SettingValue& value : setting.values) fuzz::require(!value.text.empty());
  }
  return 0;
}
