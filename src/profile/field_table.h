// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>

#include "profile/image_finder.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::profile {

// Gives types and members of them their rows in Profile::types and fields, one for each distinct one. Row 0
// of both becomes "[unknown]".
class FieldTable {
 public:
  FieldTable(Profile& profile, const symbol::Resolver& resolver);

  // What was accessed in an object, at `place` where that is a variable, by the instruction at `location`: by
  // the variable's type, else by that of what the instruction's registers point to, else, on the stack, by
  // the local variable that lies so far above the stack pointer. 0: cannot be told.
  uint32_t field(uint32_t object, const ImagePlace& place, uint32_t location,
                 std::optional<int64_t> above_stack_pointer);

 private:
  // A variable that holds one thing, or many of it in a row.
  struct Typed {
    symbol::VariableType is;
    uint64_t address = 0;  // in the variable
    uint32_t dso = 0;
    uint32_t type = 0;                              // row
    std::string name;                               // what the fields' texts begin with
    std::unordered_map<uint64_t, uint32_t> fields;  // by offset in an element
  };
  using Known = std::optional<Typed>;

  Known& variable(uint32_t object);
  uint32_t of_access(uint32_t location, bool on_stack);
  [[nodiscard]] uint32_t look_up_access(uint32_t location, bool on_stack);
  [[nodiscard]] uint32_t look_up_frame(uint32_t location, int64_t above_stack_pointer);
  uint32_t described(uint32_t location, symbol::DescribedField access);
  uint32_t field_in(Typed& typed, int64_t offset);
  uint32_t type_row(uint32_t dso, const std::shared_ptr<const symbol::TypeLayout>& layout);
  uint32_t field_row(FieldRow row);

  Profile& profile_;
  const symbol::Resolver& resolver_;
  std::unordered_map<uint32_t, Known> variables_;           // by object
  std::map<std::pair<uint32_t, bool>, uint32_t> accesses_;  // by location
  std::unordered_map<std::shared_ptr<const symbol::TypeLayout>, uint32_t> types_by_layout_;
  std::map<std::tuple<uint32_t, std::string, uint64_t>, uint32_t> types_;
  std::map<std::tuple<uint32_t, uint64_t, std::string>, uint32_t> fields_;
};

}  // namespace hm::profile
