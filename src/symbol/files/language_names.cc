// SPDX-License-Identifier: MIT
#include "symbol/files/language_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "symbol/files/d_arguments.h"

namespace hm::symbol {
namespace {

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper_letter(char c) { return c >= 'A' && c <= 'Z'; }

bool is_decimal_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_decimal_digit);
}

// Appends a part of a path with its separator.
void append_part(std::string& path, std::string_view part) {
  if (!path.empty()) path += '.';
  path += part;
}

// Decodes the qualified name at the start of a D symbol. The type behind it is left out.
class DName {
 public:
  explicit DName(std::string_view symbol) : whole_(symbol), at_(kPrefix.size()) {}

  static bool begins(std::string_view symbol) {
    return symbol.starts_with(kPrefix) && symbol.size() > kPrefix.size() &&
           is_decimal_digit(symbol[kPrefix.size()]);
  }

  std::optional<std::string> read() {
    std::string path;
    std::string_view instance;  // the last part, if it is a template's instance
    while (std::optional<std::string_view> part = next_part()) {
      // A template's own function or class has its name: "max!int.max".
      if (*part != std::exchange(instance, is_instance_ ? *part : std::string_view()))
        append_part(path, *part);
      if (path.size() > kMaxPathBytes) return std::nullopt;  // back references may repeat a long name often
    }
    return path.empty() ? std::nullopt : std::optional(path);
  }

 private:
  static constexpr std::string_view kPrefix = "_D";
  static constexpr size_t kMaxPathBytes = 4096;
  static constexpr size_t kInstanceBytes = 3;  // of "__T"

  std::optional<std::string_view> next_part() {
    is_instance_ = false;
    if (at_ >= whole_.size()) return std::nullopt;
    if (whole_[at_] == 'Q') return back_reference();
    if (is_instance(whole_.substr(at_))) return unmeasured_instance();
    std::optional<std::string_view> name = identifier(at_);
    is_instance_ = name && is_instance(*name);
    return name ? std::optional(without_arguments(*name)) : std::nullopt;
  }

  // Reads "4main" at a position, which it advances.
  [[nodiscard]] std::optional<std::string_view> identifier(size_t& at) const {
    size_t size = 0;
    auto [end, error] = std::from_chars(whole_.data() + at, whole_.data() + whole_.size(), size);
    auto begin = static_cast<size_t>(end - whole_.data());
    if (error != std::errc() || size == 0 || size > whole_.size() - begin) return std::nullopt;
    at = begin + size;
    return whole_.substr(begin, size);
  }

  // Reads "Qb", the distance back to an earlier identifier: upper-case digits of base 26, the last in lower
  // case.
  std::optional<std::string_view> back_reference() {
    constexpr size_t kBase = 26;
    size_t from = at_, distance = 0;
    for (++at_; at_ < whole_.size() && is_upper_letter(whole_[at_]) && distance < whole_.size(); ++at_)
      distance = distance * kBase + static_cast<size_t>(whole_[at_] - 'A');
    if (at_ >= whole_.size() || whole_[at_] < 'a' || whole_[at_] > 'z') return std::nullopt;
    distance = distance * kBase + static_cast<size_t>(whole_[at_++] - 'a');
    if (distance == 0 || distance > from || !is_decimal_digit(whole_[from - distance])) return std::nullopt;
    size_t earlier = from - distance;
    return identifier(earlier);
  }

  static bool is_instance(std::string_view name) {
    return name.starts_with("__T") || name.starts_with("__U");
  }

  // Returns the name of a template's instance, "__T3maxTiZ". Newer compilers write no length in front of it.
  // The name ends there if it has arguments of unknown forms.
  std::optional<std::string_view> unmeasured_instance() {
    is_instance_ = true;
    size_t at = at_ + kInstanceBytes;
    std::optional<std::string_view> name = identifier(at);
    at_ = name ? std::min(end_of_d_arguments(whole_, at), whole_.size()) : whole_.size();
    return name;
  }
  static std::string_view without_arguments(std::string_view name) {
    if (!is_instance(name)) return name;
    DName instance(name);
    size_t begin = kInstanceBytes;
    return instance.identifier(begin).value_or(name);
  }

  std::string_view whole_;
  size_t at_;
  bool is_instance_ = false;  // the last part is a template's instance
};

// Returns the character of an OCaml escape, "$2b"; '\0' if there is none.
char ocaml_escape(std::string_view text) {
  constexpr size_t kBytes = 3;
  constexpr int kHex = 16;
  unsigned value = 0;
  if (text.size() < kBytes) return 0;
  auto [end, error] = std::from_chars(text.data() + 1, text.data() + kBytes, value, kHex);
  bool good = error == std::errc() && end == text.data() + kBytes && value > ' ' && value < 0x7f;
  return good ? static_cast<char>(value) : '\0';
}

std::string without_ocaml_escapes(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    char escaped = text[i] == '$' ? ocaml_escape(text.substr(i)) : '\0';
    out += escaped == '\0' ? text[i] : escaped;
    i += escaped == '\0' ? 0 : 2;
  }
  return out;
}

// Removes the stamp "_487", but not from "fun_487", the name of a function without one.
std::string_view without_ocaml_stamp(std::string_view name) {
  size_t stamp = name.rfind('_');
  bool has_stamp = stamp != std::string_view::npos && stamp != 0 && is_decimal_number(name.substr(stamp + 1));
  return has_stamp && !name.substr(0, stamp).ends_with("fun") ? name.substr(0, stamp) : name;
}

std::optional<std::string> ocaml_name(std::string_view symbol) {
  constexpr std::string_view kCaml = "caml", kCode = "_code";
  if (!symbol.starts_with(kCaml) || symbol.size() == kCaml.size() || !is_upper_letter(symbol[kCaml.size()]))
    return std::nullopt;
  symbol.remove_prefix(kCaml.size());
  // The optimiser appends another stamp and "_code".
  bool is_optimised = symbol.ends_with(kCode) && symbol.size() > kCode.size() &&
                      is_decimal_digit(symbol[symbol.size() - kCode.size() - 1]);
  if (is_optimised) symbol = without_ocaml_stamp(symbol.substr(0, symbol.size() - kCode.size()));
  std::string path;
  size_t parts = 0;
  for (size_t at = 0; at <= symbol.size(); ++parts) {
    size_t end = std::min(symbol.find("__", at), symbol.find('.', at));
    bool last = end == std::string_view::npos;
    std::string_view part = symbol.substr(at, last ? end : end - at);
    append_part(path, without_ocaml_escapes(last ? without_ocaml_stamp(part) : part));
    if (last) break;
    at = end + (symbol[end] == '.' ? 1 : 2);
  }
  return parts == 0 ? std::nullopt : std::optional(path);
}

constexpr std::array<std::pair<std::string_view, char>, 25> kZEscapes{
    {{"ZL", '('}, {"ZR", ')'}, {"ZM", '['}, {"ZN", ']'}, {"ZC", ':'}, {"ZZ", 'Z'},  {"zz", 'z'},
     {"za", '&'}, {"zb", '|'}, {"zc", '^'}, {"zd", '$'}, {"ze", '='}, {"zg", '>'},  {"zh", '#'},
     {"zi", '.'}, {"zl", '<'}, {"zm", '-'}, {"zn", '!'}, {"zp", '+'}, {"zq", '\''}, {"zr", '\\'},
     {"zs", '/'}, {"zt", '*'}, {"zu", '_'}, {"zv", '%'}}};

// Returns nullopt if the text contains a 'z' or 'Z' that begins no escape.
std::optional<std::string> without_z_escapes(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    bool is_escape = text.front() == 'z' || text.front() == 'Z';
    auto known = std::ranges::find(kZEscapes, text.substr(0, 2), &std::pair<std::string_view, char>::first);
    if (is_escape && (known == kZEscapes.end())) return std::nullopt;
    out += is_escape ? known->second : text.front();
    text.remove_prefix(is_escape ? 2 : 1);
  }
  return out;
}

// "PACKAGE_MODULE_NAME_info", or without the package in a program's own modules.
std::optional<std::string> haskell_name(std::string_view symbol) {
  constexpr std::array<std::string_view, 4> kSuffixes{"_info", "_entry", "_slow", "_fast"};
  auto suffix =
      std::ranges::find_if(kSuffixes, [&](std::string_view each) { return symbol.ends_with(each); });
  if (suffix == kSuffixes.end()) return std::nullopt;
  symbol.remove_suffix(suffix->size());
  size_t name = symbol.rfind('_');
  if (name == std::string_view::npos || name == 0 || name + 1 == symbol.size()) return std::nullopt;
  size_t package = symbol.rfind('_', name - 1);
  std::string_view module = symbol.substr(0, name);
  if (package != std::string_view::npos) module.remove_prefix(package + 1);
  // C has names like these, so the module is one of several parts, or a program's Main.
  bool is_module = !module.empty() && is_upper_letter(module.front()) &&
                   (module == "Main" || module.find("zi") != std::string_view::npos);
  std::optional<std::string> path = without_z_escapes(module);
  std::optional<std::string> function = without_z_escapes(symbol.substr(name + 1));
  if (!is_module || !path || !function) return std::nullopt;
  return *path + '.' + *function;
}

constexpr std::string_view kNimStamp = "_u";  // of Nim 2

// Names of C such as "lib__read_u32" end with the width of an integer.
bool is_integer_width(std::string_view text) {
  constexpr std::array<std::string_view, 5> kWidths{"8", "16", "32", "64", "128"};
  return std::ranges::find(kWidths, text) != kWidths.end();
}

// Nim writes the slashes of a module's path as 'Z': "stdZprivateZdigitsutils".
std::string nim_module(std::string_view module) {
  std::string path(module);
  if (path.starts_with("stdZ") || path.starts_with("pkgZ")) std::ranges::replace(path, 'Z', '/');
  return path;
}

// "NAME__MODULE", the stamp, and a number: the stamp counts the functions of the module.
std::optional<std::string> nim_name(std::string_view symbol, std::string_view stamp_begin) {
  constexpr std::string_view kModule = "__";
  size_t stamp = symbol.rfind(stamp_begin), module = symbol.find(kModule);
  bool fits = stamp != std::string_view::npos && module != std::string_view::npos && module != 0 &&
              module + kModule.size() < stamp && is_decimal_number(symbol.substr(stamp + stamp_begin.size()));
  if (!fits) return std::nullopt;
  std::string_view name = symbol.substr(0, module);
  module += kModule.size();
  std::string path = nim_module(symbol.substr(module, stamp - module));
  append_part(path, name);
  return path;
}

}  // namespace

std::optional<std::string> language_name(std::string_view symbol) {
  if (DName::begins(symbol)) return DName(symbol).read();
  if (std::optional<std::string> name = ocaml_name(symbol)) return name;
  if (std::optional<std::string> name = haskell_name(symbol)) return name;
  return is_integer_width(symbol.substr(symbol.rfind('u') + 1)) ? std::nullopt : nim_name(symbol, kNimStamp);
}

std::optional<std::string> nim_program_name(std::string_view symbol) {
  if (std::optional<std::string> name = nim_name(symbol, kNimStamp)) return name;
  return nim_name(symbol, "_");
}

std::string without_lto_suffixes(std::string_view symbol) {
  constexpr std::array<std::string_view, 3> kSuffixes{".llvm.", ".lto_priv.", ".__uniq."};
  std::string name(symbol);
  for (std::string_view suffix : kSuffixes) {
    size_t begin = name.find(suffix);
    if (begin == std::string::npos || begin == 0) continue;
    size_t end = begin + suffix.size();
    while (end < name.size() && is_decimal_digit(name[end])) ++end;
    bool is_number = end > begin + suffix.size() && (end == name.size() || name[end] == '.');
    if (is_number) name.erase(begin, end - begin);
  }
  return name;
}

}  // namespace hm::symbol
