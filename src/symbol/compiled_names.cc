// SPDX-License-Identifier: MIT
#include "symbol/compiled_names.h"

#include <algorithm>

namespace hm::symbol {
namespace {

std::string file_name(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

bool is_decimal(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Removes the column of "file.js:12:3"; keeps "file.js:12".
std::string_view without_column(std::string_view place) {
  size_t last = place.rfind(':');
  if (last == std::string_view::npos || !is_decimal(place.substr(last + 1))) return place;
  std::string_view rest = place.substr(0, last);
  size_t before = rest.rfind(':');
  return before != std::string_view::npos && is_decimal(rest.substr(before + 1)) ? rest : place;
}

// V8: "KIND:TIER NAME PLACE", where the tier is one of "~^+*" or missing.
std::optional<std::string> of_node(std::string_view name, bool detailed) {
  for (std::string_view kind : {"JS:", "LazyCompile:", "Function:", "Script:", "Eval:", "Callback:"}) {
    if (!name.starts_with(kind)) continue;
    name.remove_prefix(kind.size());
    if (name.starts_with(':')) return std::nullopt;  // a class of C++
    std::string_view mark;
    if (!name.empty() && std::string_view("~^+*").find(name.front()) != std::string_view::npos) {
      mark = name.substr(0, detailed ? 1 : 0);
      name.remove_prefix(1);
    }
    size_t begin = std::string_view::npos;
    for (std::string_view start : {" /", " node:", " file:"}) begin = std::min(begin, name.find(start));
    if (begin == std::string_view::npos) begin = name.rfind(' ');
    if (begin == std::string_view::npos)
      return name.empty() ? std::nullopt : std::optional(std::string(name));
    std::string_view place = without_column(name.substr(begin + 1));
    std::string function(mark);
    function += begin == 0 ? "(anonymous)" : std::string(name.substr(0, begin));
    return function + " " + (place.starts_with("node:") ? std::string(place) : file_name(place));
  }
  return std::nullopt;
}

// CPython from 3.12 on: "py::QUALIFIED_NAME:PATH".
std::optional<std::string> of_python(std::string_view name, bool detailed) {
  constexpr std::string_view kPython = "py::";
  if (!name.starts_with(kPython)) return std::nullopt;
  name.remove_prefix(kPython.size());
  size_t colon = name.find(':');
  if (colon == 0 || colon == std::string_view::npos) return std::nullopt;
  std::string_view path = name.substr(colon + 1);
  if (path.starts_with(':')) return std::nullopt;  // a namespace of C++
  return std::string(name.substr(0, colon)) + " (" +
         (detailed || path.starts_with('<') ? std::string(path) : file_name(path)) + ")";
}

// perf-map-agent and others: "Lcom/foo/Bar;::method", and the parameters' descriptors if requested.
std::optional<std::string> of_java(std::string_view name, bool detailed) {
  constexpr std::string_view kMethod = ";::";
  size_t at = name.find(kMethod);
  if (!name.starts_with('L') || at == std::string_view::npos || name.substr(0, at).find(' ') != name.npos)
    return std::nullopt;
  std::string type(name.substr(1, at - 1));
  std::ranges::replace(type, '/', '.');
  std::string_view method = name.substr(at + kMethod.size());
  return type + "." + std::string(detailed ? method : method.substr(0, method.find('(')));
}

}  // namespace

std::optional<std::string> compiled_name(std::string_view name, bool detailed) {
  if (std::optional<std::string> node = of_node(name, detailed)) return node;
  if (std::optional<std::string> python = of_python(name, detailed)) return python;
  return of_java(name, detailed);
}

}  // namespace hm::symbol
