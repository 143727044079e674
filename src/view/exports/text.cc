// SPDX-License-Identifier: MIT
#include "view/exports/text.h"

#include <algorithm>

#include "base/json.h"
#include "base/utf8.h"

namespace hm::exports {
namespace {

bool is_control(char each) { return static_cast<unsigned char>(each) < 0x20 || each == 0x7f; }

}  // namespace

std::string one_line(std::string_view text) {
  std::string line = utf8(text);
  std::ranges::replace_if(line, is_control, ' ');
  return line;
}

std::string json_text(std::string_view text) { return json_line(nlohmann::json(text)); }

}  // namespace hm::exports
