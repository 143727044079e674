// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "profile/image_finder.h"
#include "profile/profile.h"

namespace hm::profile {

// Gives what data addresses lie in its rows in Profile::objects, one for each distinct one. Row 0 becomes
// "[unknown]".
class ObjectTable {
 public:
  ObjectTable(Profile& profile, const symbol::Resolver& resolver);

  // A variable, or a section where no symbol covers the place.
  uint32_t variable(const ImagePlace& place);
  uint32_t stack(uint32_t thread) { return row({ObjectKind::kStack, 0, {}, 0, 0, thread}); }
  // Those that the same code allocated are one.
  uint32_t heap_block(std::string allocated_by) {
    return row({ObjectKind::kHeapBlock, 0, std::move(allocated_by), 0, 0, 0});
  }
  uint32_t file(uint32_t dso) { return row({ObjectKind::kFile, dso, {}, 0, 0, 0}); }
  // One of a kind: no file's memory, the program break, the vDSO, the kernel.
  uint32_t only(ObjectKind kind) { return row({kind, 0, {}, 0, 0, 0}); }

 private:
  uint32_t row(ObjectRow row);

  Profile& profile_;
  const symbol::Resolver& resolver_;
  std::map<std::tuple<ObjectKind, uint32_t, uint64_t, uint32_t, std::string>, uint32_t> rows_;
};

}  // namespace hm::profile
