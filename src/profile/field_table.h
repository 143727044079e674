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

// Assigns rows in Profile::types and Profile::fields, one for each distinct type and member. Row 0 of both is
// "[unknown]".
class FieldTable {
 public:
  FieldTable(Profile& profile, const symbol::Resolver& resolver);

  // Returns the row of the field that the instruction at `location` accessed in `object`; `place` is the
  // accessed address if the object is a variable. Uses the variable's type, else the type to which the
  // instruction's registers point. For the stack, last uses the local variable at that distance above the
  // stack pointer. 0: unknown.
  uint32_t field(uint32_t object, const ImagePlace& place, uint32_t location,
                 std::optional<int64_t> above_stack_pointer);

 private:
  // A variable that holds a single value or an array of values.
  struct Typed {
    symbol::VariableType is;
    uint64_t address = 0;  // address of the variable
    uint32_t dso = 0;
    uint32_t type = 0;                              // row
    std::string name;                               // prefix of the fields' texts
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
