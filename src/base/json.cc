// SPDX-License-Identifier: MIT
#include "base/json.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/characters.h"

namespace hm {
namespace {

// Returns whether a byte may begin a control character that the writer leaves as it is: DEL and those beyond
// ASCII.
bool may_begin_control(char byte) {
  return byte == '\x7f' || byte == '\xc2' || byte == '\xd8' || byte == '\xe2';
}

// Returns the length of the unescaped control character at an offset, 0 if there is none. JSON has these only
// in strings.
size_t control_bytes(std::string_view text, size_t offset) {
  if (!may_begin_control(text[offset])) return 0;
  Character character = first_character(text.substr(offset));
  return is_control(character.code_point) ? character.bytes : 0;
}

std::string with_escapes(std::string text) {
  std::string out;
  size_t copied = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    size_t bytes = control_bytes(text, i);
    if (bytes == 0) continue;
    out.append(text, copied, i - copied);
    out += fmt::format("\\u{:04x}",
                       static_cast<uint32_t>(first_character(std::string_view(text).substr(i)).code_point));
    copied = i + bytes;
  }
  return copied == 0 ? text : out.append(text, copied);
}

// `indent`: -1 for one line.
template <typename Json>
std::string formatted(const Json& json, int indent) {
  return with_escapes(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

nlohmann::json parse_json(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::string json_line(const nlohmann::json& json) { return formatted(json, -1); }

std::string compact_json(const nlohmann::ordered_json& json) { return formatted(json, -1); }

std::string indented_json(const nlohmann::ordered_json& json) { return formatted(json, 1) + '\n'; }

}  // namespace hm
