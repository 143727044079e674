// SPDX-License-Identifier: MIT
#include "profile/allocating_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "profile/lookup.h"

namespace hm::profile {
namespace {

// A template function's name begins with what it returns.
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

// C++'s, and Rust's; "<alloc::..." is an implementation of a trait there.
constexpr std::string_view kStandardLibraries[] = {
    "std::",  "__gnu_cxx::", "alloc::",      "<alloc::", "core::", "<core::",
    "<std::", "hashbrown::", "<hashbrown::", "__rust_",  "__rdl_"};

}  // namespace

bool allocates_for_caller(std::string_view function) {
  if (function.starts_with("operator new")) return true;
  std::string_view name = without_result(function);
  return std::ranges::any_of(kStandardLibraries,
                             [&](std::string_view library) { return name.starts_with(library); });
}

AllocatingCode::AllocatingCode(const Profile& profile, const symbol::Resolver& resolver)
    : profile_(profile), resolver_(resolver) {
  for (const HeapSite& site : profile.heap_sites) {
    if (!site.chain.empty()) allocators_.insert(profile.locations[site.chain[0]].function);
  }
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
  if (frame->line == 0) return frame->function;
  std::string_view file = std::string_view(frame->file).substr(frame->file.rfind('/') + 1);
  return fmt::format("{} ({}:{})", frame->function, file, frame->line);
}

}  // namespace hm::profile
