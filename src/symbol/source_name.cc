// SPDX-License-Identifier: MIT
#include "symbol/source_name.h"

#include <algorithm>
#include <array>

namespace hm::symbol {
namespace {

// Symbol suffixes of GCC and Clang that are followed by a number.
constexpr std::array<std::string_view, 13> kNumbered{
    "constprop", "isra",        "part",    "cold",    "llvm",    "lto_priv", "localalias",
    "__uniq",    "specialized", "memprof", "argprom", "argelim", "retelim"};
// Suffixes without a number: function parts, aliases, and versions of a function for a processor type
// (attribute target_clones).
constexpr std::array<std::string_view, 7> kPlain{"cold", "localalias", "default", "avx",
                                                 "avx2", "avx512f",    "sse4_2"};
constexpr std::string_view kArchitecture = "arch_";  // ".arch_x86_64_v3", from target_clones
constexpr std::string_view kClone = " [clone ";      // in demangled names
constexpr std::string_view kAnonymous = "(anonymous namespace)::";
constexpr std::string_view kOcaml = "caml";
constexpr std::string_view kOcamlCode = "_code";  // follows a stamp of OCaml's optimiser
constexpr std::string_view kRustHash = "::h";
constexpr size_t kRustHashDigits = 16;

template <size_t N>
bool is_among(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, text) != words.end();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
bool is_number(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

// Returns the part before the last '.' and stores the part after it in `last`, which is empty without a '.'.
std::string_view split_last(std::string_view name, std::string_view& last) {
  size_t dot = name.rfind('.');
  last = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
  return name.substr(0, dot);
}

bool strip_one_suffix(std::string_view& name) {
  std::string_view last, before_last;
  std::string_view rest = split_last(name, last);
  if (is_among(last, kPlain) || last.starts_with(kArchitecture)) return name = rest, true;
  if (!is_number(last)) return false;
  rest = split_last(rest, before_last);
  bool known = is_among(before_last, kNumbered) || is_among(before_last, kPlain) ||
               before_last.starts_with(kArchitecture);
  if (known) name = rest;
  return known;
}

void strip_suffixes(std::string_view& name) {
  std::string_view rest = name;
  while (strip_one_suffix(rest)) {
  }
  // In a demangled name, suffixes are in brackets, so the text before the suffixes is empty there.
  if (!rest.empty()) name = rest;
}

// Strips "[clone .isra.0]" from the end of a demangled name; keeps unknown suffixes.
bool strip_one_clone(std::string& name) {
  size_t begin = name.rfind(kClone);
  if (begin == std::string::npos || begin == 0 || !name.ends_with(']')) return false;
  size_t inner = begin + kClone.size();
  std::string_view suffixes(name.data() + inner, name.size() - 1 - inner);
  std::string_view rest = suffixes;
  while (strip_one_suffix(rest)) {
  }
  if (rest.size() == suffixes.size()) return false;
  name = rest.empty() ? name.substr(0, begin) : name.substr(0, inner) + std::string(rest) + ']';
  return rest.empty();
}

void strip_rust_hash(std::string& name) {
  size_t begin = name.rfind(kRustHash);
  if (begin == std::string::npos || begin == 0) return;
  std::string_view hash = std::string_view(name).substr(begin + kRustHash.size());
  if (hash.size() == kRustHashDigits && std::ranges::all_of(hash, is_hex)) name.resize(begin);
}

// Returns the position of the digits at the end of `name`.
size_t number_at_end(std::string_view name) {
  size_t begin = name.size();
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  return begin;
}

// Strips the stamps of names such as "camlList__map_312" and "camlList.map_312_7_code".
void strip_ocaml_stamps(std::string& name) {
  bool is_ocaml = name.starts_with(kOcaml) && name.size() > kOcaml.size() && name[kOcaml.size()] >= 'A' &&
                  name[kOcaml.size()] <= 'Z';
  if (!is_ocaml) return;
  std::string_view rest = name;
  if (rest.ends_with(kOcamlCode)) rest.remove_suffix(kOcamlCode.size());
  bool stamped = false;
  for (size_t at = number_at_end(rest); at > 1 && at < rest.size() && rest[at - 1] == '_';
       at = number_at_end(rest)) {
    rest = rest.substr(0, at - 1);
    stamped = true;
  }
  if (stamped) name.resize(rest.size());
}

// Strips the stamp of names such as "walk__tree_u12". In a C name such as "lib__read_u32" the number is an
// integer width, not a stamp.
void strip_nim_stamp(std::string& name) {
  constexpr std::array<std::string_view, 5> kWidths{"8", "16", "32", "64", "128"};
  size_t at = number_at_end(name), module = name.find("__", 1);
  if (at == name.size() || at < 2 || name.compare(at - 2, 2, "_u") != 0) return;
  bool has_module = module != std::string::npos && module + 2 < at - 2;
  if (has_module && !is_among(std::string_view(name).substr(at), kWidths)) name.resize(at - 2);
}

void erase_all(std::string& name, std::string_view part) {
  for (size_t at = name.find(part); at != std::string::npos && name.size() > part.size();
       at = name.find(part, at))
    name.erase(at, part.size());
}

// Erases the digits between each occurrence of `before` and `after`: "{lambda(int)#2}", "main::$_1::".
void erase_numbers(std::string& name, std::string_view before, std::string_view after) {
  for (size_t at = name.find(before); at != std::string::npos; at = name.find(before, at + before.size())) {
    size_t begin = at + before.size(), end = begin;
    while (end < name.size() && is_digit(name[end])) ++end;
    if (name.compare(end, after.size(), after) == 0) name.erase(begin, end - begin);
  }
}

}  // namespace

std::string source_name(std::string_view function) {
  std::string_view bare = function;
  strip_suffixes(bare);
  std::string name(bare);
  while (strip_one_clone(name)) {
  }
  strip_rust_hash(name);
  strip_ocaml_stamps(name);
  strip_nim_stamp(name);
  erase_all(name, kAnonymous);
  erase_numbers(name, "#", "}");        // "{lambda(int)#2}", "{closure#0}", "{unnamed type#1}"
  erase_numbers(name, "$_", "");        // Clang's lambdas
  erase_numbers(name, "'lambda", "'");  // LLVM's demangled form
  return name.empty() ? std::string(function) : name;
}

}  // namespace hm::symbol
