// SPDX-License-Identifier: MIT
// The code that wanted a heap block: the first in a site's chain that is no allocator, no wrapper of one, and
// not of the standard library's containers.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::profile {

// Whether a function's name, demangled, is one that allocates on behalf of its caller: operator new, the
// standard libraries of C++ and Rust, and what is called after malloc and its like (zmalloc, git__calloc,
// MemoryContextAllocZero, Arena::Allocate), as programs call their wrappers of them.
[[nodiscard]] bool allocates_for_caller(std::string_view function);

class AllocatingCode {
 public:
  AllocatingCode(const Profile& profile, const symbol::Resolver& resolver);

  // Where all of the chain allocates for others, the outermost. nullopt where the chain is not known.
  [[nodiscard]] std::optional<symbol::Frame> at(const HeapSite& site) const;
  // "parse (json.c:12)", or the function alone where its line is not known; of one without a name also by
  // which with a name it is called, "[perl+0x1112d0], called by Perl_newSVhek"; empty where the chain is not
  // known.
  [[nodiscard]] std::string text_at(const HeapSite& site) const;

 private:
  bool add_nameless_wrappers();
  [[nodiscard]] std::string called_by(const HeapSite& site) const;

  const Profile& profile_;
  const symbol::Resolver& resolver_;
  // Functions: those in which chains begin, and wrappers that have no name.
  std::unordered_set<uint32_t> allocators_;
};

}  // namespace hm::profile
