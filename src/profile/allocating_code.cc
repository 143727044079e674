// SPDX-License-Identifier: MIT
#include "profile/allocating_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "profile/lookup.h"

namespace hm::profile {
namespace {

// Removes the return type, with which the name of a template function begins.
std::string_view without_result(std::string_view function) {
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < function.size(); ++i) {
    char each = function[i];
    if (each == '(' && depth == 0) break;
    if (each == '<' || each == '(') ++depth;
    if ((each == '>' || each == ')') && depth > 0) --depth;
    if (each == ' ' && depth == 0) begin = i + 1;
  }
  return function.substr(begin);
}

// Namespaces of the standard libraries of C++ and Rust. In Rust, "<alloc::..." is an implementation of a
// trait.
constexpr std::string_view kStandardLibraries[] = {
    "std::",  "__gnu_cxx::", "alloc::",      "<alloc::", "core::", "<core::",
    "<std::", "hashbrown::", "<hashbrown::", "__rust_",  "__rdl_"};

// Returns the name in lower case without arguments, template arguments and compiler suffixes such as
// ".part.0".
std::string lower_name(std::string_view function) {
  std::string lower;
  int depth = 0;
  for (unsigned char each : function) {
    if (each == '<' || each == '(') ++depth;
    if (depth == 0) lower += static_cast<char>(std::tolower(each));
    if ((each == '>' || each == ')') && depth > 0) --depth;
  }
  lower.resize(std::min(lower.find_first_of(" ."), lower.size()));
  return lower;
}

// Name parts that may follow "alloc" in wrappers of malloc and its like: they describe the memory, not its
// purpose.
constexpr std::string_view kManners[] = {"_",   "0", "array", "aligned", "extended", "finish", "internal",
                                         "num", "n", "raw",   "safe",    "usable",   "zero",   "z"};

bool is_only_manner(std::string_view rest) {
  while (!rest.empty()) {
    const auto* manner = std::ranges::find_if(kManners, [&](auto each) { return rest.starts_with(each); });
    if (manner == std::end(kManners)) return false;
    rest.remove_prefix(manner->size());
  }
  return true;
}

// Functions that allocate one kind of object name that kind (alloc_table, allocate_orders): they are not
// wrappers.
bool is_named_after_malloc(std::string_view function) {
  constexpr std::string_view kAllocate = "alloc";
  constexpr std::string_view kOthers[] = {"memalign", "strdup",     "strndup",
                                          "memdup",   "::allocate", "::allocatealigned"};
  std::string lower = lower_name(function);
  if (std::ranges::any_of(kOthers, [&](std::string_view end) { return lower.ends_with(end); })) return true;
  size_t found = lower.rfind(kAllocate);
  return found != std::string::npos && !lower.substr(0, found).ends_with("de") &&
         is_only_manner(std::string_view(lower).substr(found + kAllocate.size()));
}

}  // namespace

bool allocates_for_caller(std::string_view function) {
  if (function.starts_with("operator new")) return true;
  std::string_view name = without_result(function);
  if (is_named_after_malloc(name)) return true;
  return std::ranges::any_of(kStandardLibraries,
                             [&](std::string_view library) { return name.starts_with(library); });
}

AllocatingCode::AllocatingCode(const Profile& profile, const symbol::Resolver& resolver)
    : profile_(profile), resolver_(resolver) {
  for (const HeapSite& site : profile.heap_sites) {
    if (!site.chain.empty()) allocators_.insert(profile.locations[site.chain[0]].function);
  }
  constexpr int kDeepest = 16;  // limit on wrappers that call wrappers
  for (int depth = 0; depth < kDeepest && add_nameless_wrappers(); ++depth) {
  }
}

// Adds functions without names through which several others call an allocator.
bool AllocatingCode::add_nameless_wrappers() {
  constexpr size_t kSeveral = 3;
  std::map<uint32_t, std::set<uint32_t>> callers;
  for (const HeapSite& site : profile_.heap_sites) {
    auto function_at = [&](size_t i) { return profile_.locations[site.chain[i]].function; };
    size_t first = 0;
    while (first < site.chain.size() && allocators_.contains(function_at(first))) ++first;
    if (first + 1 >= site.chain.size()) continue;
    uint32_t function = function_at(first), caller = function_at(first + 1);
    const FunctionRow& row = profile_.functions[function];
    // The extent must be known: "[JIT code]" represents many functions.
    if (row.name.starts_with('[') && row.size != 0 && caller != function) callers[function].insert(caller);
  }
  size_t before = allocators_.size();
  for (const auto& [function, others] : callers) {
    if (others.size() >= kSeveral) allocators_.insert(function);
  }
  return allocators_.size() != before;
}

std::optional<symbol::Frame> AllocatingCode::at(const HeapSite& site) const {
  std::optional<symbol::Frame> outermost;
  for (uint32_t location : site.chain) {
    if (allocators_.contains(profile_.locations[location].function)) continue;
    for (const symbol::Frame& frame : frames_at(profile_, resolver_, location)) {
      if (!allocates_for_caller(frame.function)) return frame;
      outermost = frame;
    }
  }
  return outermost;
}

std::string AllocatingCode::text_at(const HeapSite& site) const {
  std::optional<symbol::Frame> frame = at(site);
  if (!frame) return {};
  if (frame->function.starts_with('[')) return frame->function + called_by(site);
  if (frame->line == 0) return frame->function;
  std::string_view file = std::string_view(frame->file).substr(frame->file.rfind('/') + 1);
  return fmt::format("{} ({}:{})", frame->function, file, frame->line);
}

// Returns the first function with a name in the chain, if the code that requested the block has none.
std::string AllocatingCode::called_by(const HeapSite& site) const {
  for (uint32_t location : site.chain) {
    uint32_t function = profile_.locations[location].function;
    const std::string& name = profile_.functions[function].name;
    if (allocators_.contains(function) || name.starts_with('[') || allocates_for_caller(name)) continue;
    return fmt::format(", called by {}", name);
  }
  return {};
}

}  // namespace hm::profile
