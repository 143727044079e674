// SPDX-License-Identifier: MIT
#include "symbol/display_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "symbol/compiled_names.h"

namespace hm::symbol {
namespace {

constexpr std::string_view kOperator = "operator";
constexpr std::string_view kUnnamedSpace = "(anonymous namespace)";
constexpr std::string_view kEllipsis = "…";

bool ends_with_name(std::string_view text) {
  return !text.empty() && (std::isalnum(static_cast<unsigned char>(text.back())) != 0 || text.back() == '_');
}

// Returns the length of the operator's name that begins `text`, for example "operator<<"; 0 if there is none.
size_t operator_bytes(std::string_view text) {
  if (!text.starts_with(kOperator)) return 0;
  std::string_view rest = text.substr(kOperator.size());
  for (std::string_view name :
       {"<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "->", "<", ">"}) {
    if (rest.starts_with(name)) return kOperator.size() + name.size();
  }
  return 0;
}

// Returns the number of bytes up to and including the bracket that closes the one at the start of `text`:
// "<char, int>". The '>' of Rust's "->" closes nothing.
size_t bracket_bytes(std::string_view text, char open, char close) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    bool arrow = close == '>' && i > 0 && text[i] == '>' && text[i - 1] == '-';
    depth += text[i] == open ? 1 : text[i] == close && !arrow ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return text.size();
}

std::string replaced(std::string_view text, std::string_view part, std::string_view by) {
  std::string out;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part)) {
    out += text.substr(0, at);
    out += by;
    text.remove_prefix(at + part.size());
  }
  return out + std::string(text);
}

// Removes the ABI tags of libstdc++ and libc++: "[abi:cxx11]", "[abi:ne180100]".
std::string without_abi_tags(std::string_view text) {
  constexpr std::string_view kTag = "[abi:";
  std::string out;
  for (size_t at = text.find(kTag); at != std::string_view::npos; at = text.find(kTag)) {
    size_t end = text.find(']', at);
    if (end == std::string_view::npos) break;
    out += text.substr(0, at);
    text.remove_prefix(end + 1);
  }
  return out + std::string(text);
}

// The class templates of the standard library that have a name of their own for characters.
constexpr std::array<std::string_view, 16> kOfCharacters{
    "string",        "string_view",   "ostream",  "istream",  "iostream", "stringstream",
    "ostringstream", "istringstream", "ifstream", "ofstream", "fstream",  "filebuf",
    "streambuf",     "stringbuf",     "ios",      "regex"};

// Returns the length of the template name and its arguments at the start of `text` if they are std::string or
// a similar class, and stores its usual name; otherwise 0.
size_t class_of_characters(std::string_view text, std::string& name) {
  constexpr std::string_view kBasic = "std::basic_";
  if (!text.starts_with(kBasic)) return 0;
  size_t begin = text.find('<');
  if (begin == std::string_view::npos) return 0;
  std::string_view of = text.substr(kBasic.size(), begin - kBasic.size());
  std::string_view arguments = text.substr(begin + 1);
  bool wide = arguments.starts_with("wchar_t");
  if ((!wide && !arguments.starts_with("char,") && !arguments.starts_with("char>")) ||
      std::ranges::find(kOfCharacters, of) == kOfCharacters.end())
    return 0;
  name = "std::" + std::string(wide ? "w" : "") + std::string(of);
  return begin + bracket_bytes(text.substr(begin), '<', '>');
}

// Spells classes as programmers do: std::string, without inline namespaces, with ">>".
std::string spelled(std::string_view function) {
  std::string text = replaced(without_abi_tags(function), "std::__cxx11::", "std::");
  text = replaced(text, "std::__1::", "std::");
  std::string out;
  for (size_t at = 0; at < text.size();) {
    std::string name;
    size_t size = class_of_characters(std::string_view(text).substr(at), name);
    out += size == 0 ? text.substr(at, 1) : name;
    at += size == 0 ? 1 : size;
  }
  return replaced(out, " >", ">");
}

// Returns the position of the hash "::h0123456789abcdef" at the end of a Rust function's name, else the size.
size_t rust_hash(std::string_view name) {
  constexpr std::string_view kHash = "::h";
  constexpr size_t kDigits = 16;
  size_t at = name.rfind(kHash);
  if (at == std::string_view::npos || at == 0 || name.size() - at != kHash.size() + kDigits)
    return name.size();
  bool hex = std::ranges::all_of(name.substr(at + kHash.size()),
                                 [](unsigned char each) { return std::isxdigit(each) != 0; });
  return hex ? at : name.size();
}

// Shortens the names of compiled languages: C++, Rust, Go, and Java's signatures.
class Shortening {
 public:
  Shortening(std::string_view text, bool parameters, unsigned depth = 0)
      : rest_(text), parameters_(parameters), depth_(depth) {}

  // Shortens the name of a function, which ends where its parameters begin.
  std::string function() {
    if (step_over_name()) {
      std::string_view list = rest_.substr(0, bracket_bytes(rest_, '(', ')'));
      out_.erase(0, begin_);  // the return type
      if (parameters_) out_ += "(" + types(list.substr(1, list.size() - 2), depth_ + 1) + ")";
    }
    while (out_.ends_with(' ')) out_.pop_back();
    return std::move(out_);
  }

  // Shortens the types of a list, or of a Rust path's "<Type as Trait>".
  static std::string types(std::string_view list, unsigned depth) {
    constexpr unsigned kMaxDepth = 32;
    if (depth > kMaxDepth) return std::string(kEllipsis);
    Shortening all(list, true, depth);
    while (!all.rest_.empty()) all.step();
    return std::move(all.out_);
  }

 private:
  // Reads the name. Returns true if parameters follow; only C++'s demangled functions and Java's methods have
  // parameters, and a return type may precede them. Names from an interpreter may contain blanks anywhere.
  bool step_over_name() {
    while (!rest_.empty()) {
      if (rest_.front() == '(' && begins_parameters()) {
        size_t size = bracket_bytes(rest_, '(', ')');
        size_t scope = scope_after(rest_.substr(size));
        if (scope == std::string_view::npos) return true;
        rest_.remove_prefix(size + scope);  // the parameters of an enclosing function
        continue;
      }
      bool blank = rest_.front() == ' ' && !is_in_conversion();
      size_t before = out_.size();
      step();
      if (!blank && parted_ && out_.size() > before) begin_ = before;
      parted_ = blank || (parted_ && out_.size() == before);
    }
    return false;
  }

  // Returns true within "operator unsigned long" and "operator\"\" _s".
  [[nodiscard]] bool is_in_conversion() const {
    size_t at = out_.rfind(kOperator);
    if (at == std::string::npos || ends_with_name(std::string_view(out_).substr(0, at))) return false;
    std::string_view type = std::string_view(out_).substr(at + kOperator.size());
    return type.empty() || type.front() == ' ' || type.front() == '"';
  }

  // A '(' in a name: "(anonymous namespace)::f" and Go's "main.(*T).f" have no parameters there.
  [[nodiscard]] bool begins_parameters() const {
    return !rest_.starts_with(kUnnamedSpace) && !out_.empty() && !out_.ends_with('.') &&
           !out_.ends_with(' ') && !out_.ends_with("decltype");
  }

  // Returns the length of " const" and similar text before "::"; npos if "::" does not follow.
  static size_t scope_after(std::string_view text) {
    size_t at = text.find("::");
    if (at == std::string_view::npos) return at;
    std::string_view between = text.substr(0, at);
    bool qualifies = between.empty() || between == " const" || between == " &" || between == " const &" ||
                     between == " &&" || between == " volatile" || between == " noexcept";
    return qualifies ? at : std::string_view::npos;
  }

  // Moves the next part to the result: one character, or a bracket, which is shortened.
  void step() {
    size_t kept = ends_with_name(out_) ? 0 : operator_bytes(rest_);
    if (kept == 0 && rest_.starts_with(kUnnamedSpace)) kept = kUnnamedSpace.size();
    if (kept != 0) return take_whole(kept);
    switch (rest_.front()) {
      case '<':
        return angle();
      case '[':
        return square();
      case '{':
        return brace();
      default:
        return take(1);
    }
  }

  void take(size_t size) {
    out_ += rest_.substr(0, size);
    rest_.remove_prefix(size);
  }

  // Takes "operator<" without its arguments, which a blank separates from the name.
  void take_whole(size_t size) {
    take(size);
    if (rest_.starts_with(" <")) rest_.remove_prefix(1 + bracket_bytes(rest_.substr(1), '<', '>'));
  }

  // Rust's "<Type as Trait>::f" and "<impl Trait for Type>" are names; other angle brackets hold arguments.
  void angle() {
    size_t size = bracket_bytes(rest_, '<', '>');
    std::string_view whole = rest_.substr(0, size);
    bool closed = size > 1 && whole.ends_with('>');
    std::string_view inner = whole.substr(1, size - (closed ? 2 : 1));
    bool is_name = out_.empty() || inner.starts_with("impl ") || ends_with_type_start();
    if (is_name)
      out_ += type_name(inner);
    else
      out_ += "<" + std::string(kEllipsis) + ">";
    rest_.remove_prefix(size);
  }

  // Rust's "<alloc::vec::Vec<u8>>::push" is a method of the type, which users write without brackets.
  [[nodiscard]] std::string type_name(std::string_view type) const {
    std::string name = types(type, depth_ + 1);
    bool is_path = out_.empty() && !name.empty() && name.find(' ') == std::string::npos &&
                   std::isalpha(static_cast<unsigned char>(name.front())) != 0;
    return is_path ? name : "<" + name + ">";
  }

  // After these, a '<' begins a type, "&<T as U>::V"; a blank also separates an operator from its arguments.
  [[nodiscard]] bool ends_with_type_start() const {
    if (out_.ends_with('&') || out_.ends_with('(') || out_.ends_with('*')) return true;
    size_t last = out_.find_last_not_of(' ');
    bool blank = last + 1 != out_.size();
    return blank && ends_with_name(std::string_view(out_).substr(0, last + 1));
  }

  // Go's type arguments, "Sum[go.shape.int_0]"; elsewhere square brackets belong to the name.
  void square() {
    size_t size = bracket_bytes(rest_, '[', ']');
    bool is_index = size > 2 && ends_with_name(out_) && rest_[1] != ' ';
    if (!is_index) return take(1);
    out_ += "[" + std::string(kEllipsis) + "]";
    rest_.remove_prefix(size);
  }

  // "{lambda(int)#1}" becomes "{lambda#1}", and "{lambda(int)#1}::operator()" too.
  void brace() {
    size_t size = bracket_bytes(rest_, '{', '}');
    std::string_view whole = rest_.substr(0, size);
    size_t open = whole.find('('), close = whole.rfind(')');
    bool has_parameters = open != std::string_view::npos && close != std::string_view::npos && close > open;
    out_ += has_parameters ? std::string(whole.substr(0, open)) + std::string(whole.substr(close + 1))
                           : std::string(whole);
    rest_.remove_prefix(size);
    constexpr std::string_view kCall = "::operator()";
    if (whole.starts_with("{lambda") && rest_.starts_with(kCall)) rest_.remove_prefix(kCall.size());
  }

  std::string_view rest_;
  bool parameters_;
  unsigned depth_;  // of the brackets around the text
  std::string out_;
  size_t begin_ = 0;     // start of the name, behind the return type
  bool parted_ = false;  // the last kept character is a space before a name
};

}  // namespace

std::string display_name(std::string_view function, NameDetail detail) {
  constexpr size_t kMaxBytes = 16384;  // longer names are not read by people
  bool is_place = function.starts_with('[') || function.size() > kMaxBytes;  // "[my program+0x10]"
  if (detail == NameDetail::kRecorded || is_place) return std::string(function);
  if (std::optional<std::string> name = compiled_name(function, detail == NameDetail::kParameters))
    return detail == NameDetail::kWhole ? std::string(function) : *name;
  std::string name = spelled(function.substr(0, rust_hash(function)));
  if (detail == NameDetail::kWhole) return name;
  std::string shown = Shortening(name, detail == NameDetail::kParameters).function();
  // A function that returns a pointer to a function has its name in parentheses.
  bool whole = std::ranges::count(shown, '(') == std::ranges::count(shown, ')');
  return shown.empty() || !whole ? name : shown;
}

std::vector<std::string> display_names(const std::vector<std::string>& functions) {
  std::vector<std::string> shown(functions.size());
  for (NameDetail detail :
       {NameDetail::kShort, NameDetail::kParameters, NameDetail::kWhole, NameDetail::kRecorded}) {
    std::vector<std::string> names(functions.size());
    std::map<std::string, std::set<std::string_view>> by_name;  // functions that are shown alike
    for (size_t i = 0; i < functions.size(); ++i) {
      if (!shown[i].empty()) continue;
      names[i] = display_name(functions[i], detail);
      by_name[names[i]].insert(functions[i]);
    }
    for (size_t i = 0; i < functions.size(); ++i) {
      if (shown[i].empty() && by_name[names[i]].size() == 1) shown[i] = names[i];
    }
  }
  return shown;
}

bool is_display_name(std::string_view wanted, std::string_view function) {
  return std::ranges::any_of(std::array{NameDetail::kShort, NameDetail::kParameters, NameDetail::kWhole},
                             [&](NameDetail detail) { return display_name(function, detail) == wanted; });
}

}  // namespace hm::symbol
