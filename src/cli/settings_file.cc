// SPDX-License-Identifier: MIT
#include "cli/settings_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>

#include "base/text_file.h"
#include "view/text/format.h"

namespace hm::cli {
namespace {

constexpr size_t kMaxBytes = size_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_name_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

// An integer or a decimal number: what options take.
bool is_number(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool has_digit = !text.empty() && text.front() >= '0' && text.front() <= '9';
  return has_digit && error != std::errc::invalid_argument && end == text.data() + text.size();
}

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  }

  Result<std::vector<Setting>> settings() {
    std::vector<Setting> all;
    for (skip_blank_lines(); !rest_.empty(); skip_blank_lines()) {
      Result<Setting> next = setting();
      if (!next) return next.error();
      if (std::ranges::find(all, next->name, &Setting::name) != all.end())
        return make_error(ErrorCode::kInvalidArgument, "line {}: {} stands there for the second time",
                          next->line, next->name);
      all.push_back(*std::move(next));
    }
    return all;
  }

 private:
  [[nodiscard]] Error wrong(std::string_view what) const {
    return make_error(ErrorCode::kInvalidArgument, "line {}: {}", line_, what);
  }

  [[nodiscard]] bool is_at(char c) const { return !rest_.empty() && rest_.front() == c; }

  void skip_blanks() {
    while (is_at(' ') || is_at('\t') || rest_.starts_with("\r\n")) rest_.remove_prefix(1);
    if (is_at('#')) rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
  }

  void skip_blank_lines() {
    for (skip_blanks(); is_at('\n'); skip_blanks()) {
      rest_.remove_prefix(1);
      ++line_;
    }
  }

  // Takes the characters up to the first for which `belongs` is false.
  template <typename Belongs>
  std::string_view take_while(Belongs belongs) {
    auto end = std::ranges::find_if_not(rest_, belongs);
    std::string_view taken = rest_.substr(0, static_cast<size_t>(end - rest_.begin()));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  Result<Setting> setting() {
    if (is_at('[')) return wrong("a section begins there, and none is expected");
    Setting setting;
    setting.name = take_while(is_name_part);
    setting.line = line_;
    skip_blanks();
    if (setting.name.empty() || !is_at('=')) return wrong("NAME = VALUE is expected there");
    rest_.remove_prefix(1);
    skip_blanks();
    setting.is_list = is_at('[');
    Result<std::vector<SettingValue>> values = setting.is_list ? list() : single();
    if (!values) return values.error();
    setting.values = *std::move(values);
    skip_blanks();
    if (!rest_.empty() && !is_at('\n')) return wrong("something is left after the value");
    return setting;
  }

  Result<std::vector<SettingValue>> single() {
    Result<SettingValue> only = value();
    if (!only) return only.error();
    return std::vector<SettingValue>{*std::move(only)};
  }

  Result<std::vector<SettingValue>> list() {
    std::vector<SettingValue> values;
    rest_.remove_prefix(1);
    for (skip_blank_lines(); !is_at(']'); skip_blank_lines()) {
      if (is_at('[')) return wrong("a list stands in a list there");
      Result<SettingValue> next = value();
      if (!next) return next.error();
      values.push_back(*std::move(next));
      skip_blank_lines();
      if (!is_at(',') && !is_at(']')) return wrong("a list goes on with , or ends with ]");
      if (is_at(',')) rest_.remove_prefix(1);
    }
    rest_.remove_prefix(1);
    return values;
  }

  Result<SettingValue> value() {
    if (is_at('"') || is_at('\'')) return quoted();
    std::string word(take_while([](char c) { return is_name_part(c) || c == '.' || c == '+'; }));
    if (word == "true" || word == "false") return SettingValue{SettingValue::Kind::kFlag, word};
    std::erase(word, '_');
    if (is_number(word)) return SettingValue{SettingValue::Kind::kNumber, word};
    if (word.empty()) return wrong("a value is missing there");
    return wrong("a value is text in quotes, a number, true or false, or a list of these");
  }

  Result<SettingValue> quoted() {
    char quote = rest_.front();
    if (rest_.size() > 2 && rest_[1] == quote && rest_[2] == quote)
      return wrong("text of several lines is not expected there");
    rest_.remove_prefix(1);
    std::string text;
    while (!is_at(quote)) {
      if (rest_.empty() || is_at('\n')) return wrong("the quote at the end is missing");
      if (is_at('\\') && quote == '"') {
        rest_.remove_prefix(1);
        std::optional<char> escaped = escape();
        if (!escaped) return wrong("after \\ only \" and \\ are expected");
        text += *escaped;
        continue;
      }
      text += rest_.front();
      rest_.remove_prefix(1);
    }
    rest_.remove_prefix(1);
    if (text.empty()) return wrong("the text is empty: leave the line out");
    if (text::printable(text) != text) return wrong("the text has control characters, or is not UTF-8");
    return SettingValue{SettingValue::Kind::kText, text};
  }

  // Others stand for control characters, or can be written as they are.
  std::optional<char> escape() {
    if (!is_at('"') && !is_at('\\')) return std::nullopt;
    char escaped = rest_.front();
    rest_.remove_prefix(1);
    return escaped;
  }

  std::string_view rest_;
  size_t line_ = 1;
};

}  // namespace

Result<std::vector<Setting>> parse_settings(std::string_view text) { return Parser(text).settings(); }

Result<std::vector<Setting>> read_settings_file(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0)
    return make_error(ErrorCode::kNotFound, "cannot open {}: {}", path, errno_text(errno));
  if (!S_ISREG(about.st_mode))
    return make_error(ErrorCode::kInvalidArgument, "{} is no regular file, as one of settings is", path);
  std::optional<std::string> text = read_text(path, kMaxBytes);
  if (!text && errno == EFBIG)
    return make_error(ErrorCode::kInvalidArgument, "{} is longer than 1 MiB, as no file of settings is",
                      path);
  if (!text) return make_error(ErrorCode::kNotFound, "cannot open {}: {}", path, errno_text(errno));
  Result<std::vector<Setting>> settings = parse_settings(*text);
  if (!settings) return make_error(ErrorCode::kInvalidArgument, "{}: {}", path, settings.error().message);
  return settings;
}

}  // namespace hm::cli
