// SPDX-License-Identifier: MIT
#include "cli/settings_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <optional>
#include <utility>

#include "base/text_file.h"
#include "http/http_message.h"
#include "view/text/format.h"

// The library is compiled only into this file, so that the program needs no shared library. Nested lists are
// rejected anyway, so a small limit on nested values protects the stack against hostile files. An assertion
// of version 3.3 fails at [[[; without the assertion the parser reports an error there.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ASSERT(condition) static_cast<void>(0)
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 8
#include <toml++/toml.h>

namespace hm::cli {
namespace {

constexpr size_t kMaxBytes = size_t{1} << 20;

// Each dot of a name opens a nested table. toml++ 3.3 limits neither their number nor the recursion depth
// when it frees them. A name ends in the line where it begins.
constexpr std::ptrdiff_t kMaxDotsInLine = 250;

template <typename... Arguments>
Error wrong(size_t line, fmt::format_string<Arguments...> what, Arguments&&... arguments) {
  return make_error(ErrorCode::kInvalidArgument, "line {}: {}", line,
                    fmt::format(what, std::forward<Arguments>(arguments)...));
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

Status check_lines(std::string_view text) {
  for (size_t line = 1; !text.empty(); ++line) {
    std::string_view first = text.substr(0, text.find('\n'));
    // in_ascii() uses % as an escape character.
    if (has(first, "\\u0025") || has(first, "\\U00000025"))
      return wrong(line, "a % must be written as %, not as an escape");
    if (std::ranges::count(first, '.') > kMaxDotsInLine)
      return wrong(line, "this line has more than {} dots; write long lists on several lines",
                   kMaxDotsInLine);
    text.remove_prefix(std::min(first.size() + 1, text.size()));
  }
  return {};
}

// Encodes bytes beyond ASCII as %XX, so that toml++ 3.3 never sees them: it has undefined behaviour at
// non-ASCII letters where TOML allows none. A % is not part of TOML's syntax and is encoded too.
std::string in_ascii(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string ascii;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    bool is_encoded = byte >= 0x80 || c == '%';
    ascii += is_encoded ? fmt::format("%{:02X}", byte) : std::string(1, c);
  }
  return ascii;
}

bool is_name_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

// Which texts a setting may have.
enum class Texts { kOneLine, kAny };

Result<SettingValue> text_value(const std::string& text, size_t line, Texts texts) {
  if (texts == Texts::kAny && text.find('\0') == std::string::npos)
    return SettingValue{SettingValue::Kind::kText, text};
  if (text.empty()) return wrong(line, "the text is empty: omit the line");
  if (text::printable(text) != text) return wrong(line, "the text has control characters, or is not UTF-8");
  return SettingValue{SettingValue::Kind::kText, text};
}

Result<SettingValue> value_of(const toml::node& node, size_t line, Texts texts) {
  using Kind = SettingValue::Kind;
  if (const auto* text = node.as_string()) return text_value(http::percent_decoded(text->get()), line, texts);
  if (const auto* flag = node.as_boolean()) return SettingValue{Kind::kFlag, flag->get() ? "true" : "false"};
  if (const auto* number = node.as_integer()) return SettingValue{Kind::kNumber, std::to_string(**number)};
  if (const auto* number = node.as_floating_point(); number != nullptr && std::isfinite(**number))
    return SettingValue{Kind::kNumber, fmt::format("{}", **number)};
  if (node.is_array()) return wrong(line, "a list is inside a list");
  return wrong(line, "a value is text in quotes, a number, true or false, or a list of these");
}

// Returns true for [NAME], [[NAME]], and the table that NAME.NAME = VALUE creates for the first name.
bool is_section(const toml::node& node) {
  const toml::array* list = node.as_array();
  const toml::table* table = list == nullptr || list->empty() ? node.as_table() : list->front().as_table();
  return table != nullptr && !table->is_inline();
}

Result<Setting> setting_of(const toml::key& name, const toml::node& node, const SectionRules* rules) {
  Setting setting;
  setting.line = name.source().begin.line;
  if (name.str().empty() || !std::ranges::all_of(name.str(), is_name_part))
    return wrong(setting.line, "a name has letters, digits, - and _ only, unlike '{}'",
                 text::printable(http::percent_decoded(name.str())));
  setting.name = name.str();
  if (is_section(node) && rules != nullptr)
    return wrong(setting.line, "sections are [[{}]]; other sections and names with dots are not allowed",
                 rules->name);
  if (is_section(node))
    return wrong(setting.line, "a section or a name with a dot is not allowed; write NAME = VALUE");
  const toml::array* list = node.as_array();
  const Texts texts = rules != nullptr && setting.name == rules->any_text ? Texts::kAny : Texts::kOneLine;
  setting.is_list = list != nullptr;
  if (list == nullptr) {
    Result<SettingValue> only = value_of(node, setting.line, texts);
    if (!only) return only.error();
    setting.values.push_back(*std::move(only));
    return setting;
  }
  for (const toml::node& item : *list) {
    Result<SettingValue> value = value_of(item, item.source().begin.line, texts);
    if (!value) return value.error();
    setting.values.push_back(*std::move(value));
  }
  return setting;
}

// Returns the settings of a table by their lines, except the setting with the name `other`.
Result<std::vector<Setting>> settings_of(const toml::table& table, const SectionRules* rules,
                                         std::string_view other = {}) {
  std::vector<Setting> all;
  std::optional<std::pair<size_t, Error>> first_wrong;
  for (auto&& [name, node] : table) {
    if (!other.empty() && name.str() == other) continue;
    Result<Setting> setting = setting_of(name, node, rules);
    size_t line = name.source().begin.line;
    if (setting) {
      all.push_back(*std::move(setting));
    } else if (!first_wrong || line < first_wrong->first) {
      first_wrong.emplace(line, setting.error());
    }
  }
  if (first_wrong) return first_wrong->second;
  std::ranges::sort(all, {}, &Setting::line);
  return all;
}

// `node` is the value of the section's name.
Result<std::vector<SettingSection>> sections_of(const toml::node& node, const SectionRules& rules) {
  std::vector<SettingSection> sections;
  const toml::array* list = node.as_array();
  if (list == nullptr || !is_section(node))
    return wrong(node.source().begin.line, "{0} is a section: write [[{0}]]", rules.name);
  for (const toml::node& item : *list) {
    size_t line = item.source().begin.line;
    const toml::table* table = item.as_table();
    if (table == nullptr) return wrong(line, "{0} is a section: write [[{0}]]", rules.name);
    Result<std::vector<Setting>> settings = settings_of(*table, &rules);
    if (!settings) return settings.error();
    sections.push_back({line, *std::move(settings)});
  }
  return sections;
}

Result<toml::table> parse(std::string_view text) {
  try {
    return toml::parse(in_ascii(text));
  } catch (const toml::parse_error& error) {
    return wrong(error.source().begin.line, "{}; each line is NAME = VALUE, with texts in quotes",
                 text::printable(http::percent_decoded(error.description())));
  }
}

}  // namespace

Result<std::vector<Setting>> parse_settings(std::string_view text) {
  if (Status lines = check_lines(text); !lines) return lines.error();
  Result<toml::table> parsed = parse(text);
  if (!parsed) return parsed.error();
  return settings_of(*parsed, nullptr);
}

Result<SectionedSettings> parse_sectioned_settings(std::string_view text, const SectionRules& rules) {
  if (Status lines = check_lines(text); !lines) return lines.error();
  Result<toml::table> parsed = parse(text);
  if (!parsed) return parsed.error();
  Result<std::vector<Setting>> common = settings_of(*parsed, &rules, rules.name);
  if (!common) return common.error();
  SectionedSettings all{*std::move(common), {}};
  if (const toml::node* node = parsed->get(rules.name)) {
    Result<std::vector<SettingSection>> sections = sections_of(*node, rules);
    if (!sections) return sections.error();
    all.sections = *std::move(sections);
  }
  return all;
}

namespace {

Result<std::string> read_settings_text(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0)
    return make_error(ErrorCode::kNotFound, "cannot open {}: {}", path, errno_text(errno));
  if (!S_ISREG(about.st_mode))
    return make_error(ErrorCode::kInvalidArgument, "{} is not a regular file", path);
  std::optional<std::string> text = read_text(path, kMaxBytes);
  if (!text && errno == EFBIG)
    return make_error(ErrorCode::kInvalidArgument, "{} is larger than 1 MiB, the limit for settings files",
                      path);
  if (!text) return make_error(ErrorCode::kNotFound, "cannot open {}: {}", path, errno_text(errno));
  return *std::move(text);
}

}  // namespace

Result<std::vector<Setting>> read_settings_file(const std::string& path) {
  Result<std::string> text = read_settings_text(path);
  if (!text) return text.error();
  Result<std::vector<Setting>> settings = parse_settings(*text);
  if (!settings) return make_error(ErrorCode::kInvalidArgument, "{}: {}", path, settings.error().message);
  return settings;
}

Result<SectionedSettings> read_sectioned_settings_file(const std::string& path, const SectionRules& rules) {
  Result<std::string> text = read_settings_text(path);
  if (!text) return text.error();
  Result<SectionedSettings> settings = parse_sectioned_settings(*text, rules);
  if (!settings) return make_error(ErrorCode::kInvalidArgument, "{}: {}", path, settings.error().message);
  return settings;
}

}  // namespace hm::cli
