// SPDX-License-Identifier: MIT
// Finds the code that requested a heap block: the first function in an allocation site's call chain that is
// not an allocator, a wrapper of an allocator, or part of the standard library's containers.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::profile {

// Returns true if a demangled function name belongs to code that allocates on behalf of its caller. These are
// operator new, the standard libraries of C++ and Rust, and functions named after malloc and its like, as
// wrappers usually are (zmalloc, git__calloc, MemoryContextAllocZero, Arena::Allocate).
[[nodiscard]] bool allocates_for_caller(std::string_view function);

class AllocatingCode {
 public:
  AllocatingCode(const Profile& profile, const symbol::Resolver& resolver);

  // Returns the requesting frame. If all functions of the chain allocate for their callers, returns the
  // outermost one; nullopt if the chain is unknown.
  [[nodiscard]] std::optional<symbol::Frame> at(const HeapSite& site) const;
  // Returns "parse (json.c:12)", or only the function if its line is unknown. For a function without a name,
  // adds its first caller with a name: "[perl+0x1112d0], called by Perl_newSVhek". Empty if the chain is
  // unknown.
  [[nodiscard]] std::string text_at(const HeapSite& site) const;

 private:
  bool add_nameless_wrappers();
  [[nodiscard]] std::string called_by(const HeapSite& site) const;

  const Profile& profile_;
  const symbol::Resolver& resolver_;
  // Functions at the start of chains, and wrappers without a name.
  std::unordered_set<uint32_t> allocators_;
};

}  // namespace hm::profile
