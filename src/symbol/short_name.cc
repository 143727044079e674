// SPDX-License-Identifier: MIT
#include "symbol/short_name.h"

#include <cctype>
#include <string>

#include "symbol/display_name.h"
#include "symbol/source_name.h"

namespace hm::symbol {
namespace {

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || static_cast<signed char>(c) < 0;
}

// Removes blanks, except those between two words: "unsigned long".
std::string squeezed(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    bool parts_words = i != 0 && i + 1 < text.size() && is_of_word(text[i - 1]) && is_of_word(text[i + 1]);
    if (text[i] != ' ' || parts_words) out += text[i];
  }
  return out;
}

// Removes the marks of shortened template arguments.
std::string without_marks(std::string text) {
  for (std::string_view mark : {"<…>", "[…]"}) {
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
      text.erase(at, mark.size());
  }
  return text;
}

std::string shown(std::string_view function, NameDetail detail) {
  return squeezed(without_marks(display_name(function, detail)));
}

bool begins_component(std::string_view text, size_t at) {
  constexpr std::string_view kBefore = ":.*& >";
  return at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos;
}

bool is_end_of(std::string_view wanted, std::string_view text) {
  return text.ends_with(wanted) && begins_component(text, text.size() - wanted.size());
}

// Compares names with template arguments. `wanted` may lack the parameters.
bool is_part_of_whole(std::string_view wanted, std::string_view text) {
  for (size_t at = text.find(wanted); at != std::string_view::npos; at = text.find(wanted, at + 1)) {
    size_t end = at + wanted.size();
    bool is_whole = wanted.ends_with(')') || end == text.size() || text[end] == '(';
    if (begins_component(text, at) && is_whole) return true;
  }
  return false;
}

}  // namespace

ShortName::ShortName(std::string_view wanted) {
  const std::string name = source_name(wanted);
  text_ = squeezed(name);
  if (shown(name, NameDetail::kShort) == text_)
    form_ = Form::kBare;
  else
    form_ = shown(name, NameDetail::kParameters) == text_ ? Form::kWithParameters : Form::kWithArguments;
}

bool ShortName::stands_for(std::string_view function) const {
  if (text_.empty()) return false;
  const std::string name = source_name(function);
  switch (form_) {
    case Form::kBare:
      return is_end_of(text_, shown(name, NameDetail::kShort));
    case Form::kWithParameters:
      return is_end_of(text_, shown(name, NameDetail::kParameters));
    case Form::kWithArguments:
      break;
  }
  return is_part_of_whole(text_, squeezed(display_name(name, NameDetail::kWhole)));
}

bool is_short_name(std::string_view wanted, std::string_view function) {
  return ShortName(wanted).stands_for(function);
}

}  // namespace hm::symbol
