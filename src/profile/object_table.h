// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "profile/image_finder.h"
#include "profile/profile.h"

namespace hm::profile {

// Assigns rows in Profile::objects to data objects, one for each distinct object. Row 0 is "[unknown]".
class ObjectTable {
 public:
  ObjectTable(Profile& profile, const symbol::Resolver& resolver);

  // Returns the row of a variable, or of a section if no symbol covers the place.
  uint32_t variable(const ImagePlace& place);
  uint32_t stack(uint32_t thread) { return row({ObjectKind::kStack, 0, {}, 0, 0, thread}); }
  // Blocks allocated by the same code share one row.
  uint32_t heap_block(std::string allocated_by) {
    return row({ObjectKind::kHeapBlock, 0, std::move(allocated_by), 0, 0, 0});
  }
  // `name`: of the kind of objects in the kernel; empty if it is unknown.
  uint32_t of_kernel(std::string name) { return row({ObjectKind::kKernel, 0, std::move(name), 0, 0, 0}); }
  uint32_t file(uint32_t dso) { return row({ObjectKind::kFile, dso, {}, 0, 0, 0}); }
  // Returns the single row of a kind: anonymous memory, the program break, the vDSO.
  uint32_t only(ObjectKind kind) { return row({kind, 0, {}, 0, 0, 0}); }

 private:
  uint32_t row(ObjectRow row);

  Profile& profile_;
  const symbol::Resolver& resolver_;
  std::map<std::tuple<ObjectKind, uint32_t, uint64_t, uint32_t, std::string>, uint32_t> rows_;
};

}  // namespace hm::profile
