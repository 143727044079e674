// SPDX-License-Identifier: MIT
#include "app/measure/soft/core_field.h"

#include <algorithm>
#include <array>

#include "pmu/soft/direct/core/core.h"

namespace hm::measure {
namespace {

using soft::direct::Core;

constexpr std::array<std::string_view, 16> kRegisterNames{"rax", "rcx", "rdx", "rbx", "rsp", "rbp",
                                                          "rsi", "rdi", "r8",  "r9",  "r10", "r11",
                                                          "r12", "r13", "r14", "r15"};
constexpr std::array<std::string_view, soft::direct::kThunks> kThunkNames{
#define HM_NAME(name, function, text) text,
    HM_THUNKS(HM_NAME)
#undef HM_NAME
};

struct Field {
  uint64_t begin;
  std::string_view name;
};

// In the order of core.h; each field extends to the next.
constexpr std::array kFields{
    Field{offsetof(Core, self), ""},
    Field{offsetof(Core, thread), "thread"},
    Field{offsetof(Core, context), "registers"},
    Field{offsetof(Core, context.flags), "flags"},
    Field{offsetof(Core, context.ip), "ip"},
    Field{offsetof(Core, context.fs_base), "FS base"},
    Field{offsetof(Core, context.vectors), "vectors"},
    Field{offsetof(Core, tick), "tick"},
    Field{offsetof(Core, loads), "loads"},
    Field{offsetof(Core, stores), "stores"},
    Field{offsetof(Core, engine_stack), "engine's stack"},
    Field{offsetof(Core, exit), "exit"},
    Field{offsetof(Core, resume), "resume"},
    Field{offsetof(Core, attention), "attention"},
    Field{offsetof(Core, checks_alignment), "alignment checks"},
    Field{offsetof(Core, thunk_flags), "thunk's flags"},
    Field{offsetof(Core, saved_flags), "saved flags"},
    Field{offsetof(Core, saved_ax), "saved rax"},
    Field{offsetof(Core, spilled), "spilled"},
    Field{offsetof(Core, spilled_base), "spilled base"},
    Field{offsetof(Core, string), "string operands"},
    Field{offsetof(Core, thunks), "thunks"},
    Field{offsetof(Core, owner), "owner"},
    Field{offsetof(Core, slice_tick), "time slice"},
    Field{offsetof(Core, activation_sp), "activation"},
    Field{offsetof(Core, filters.data), "places of lines"},
    Field{soft::direct::kNowhereOffset, "nowhere"},
    Field{offsetof(Core, filters.stores), "places of lines for stores"},
    Field{offsetof(Core, filters.code), "places of code lines"},
    Field{offsetof(Core, filters.hints), "hints"},
    Field{offsetof(Core, filters.streaks), "branch streaks"},
    Field{offsetof(Core, filters.branch_costs), "branch costs"},
    Field{offsetof(Core, model), "models"},
    Field{offsetof(Core, branches), "branch stack"},
    Field{offsetof(Core, pending), "samples due"},
    Field{offsetof(Core, elements), "elements"},
    Field{offsetof(Core, indirect), "indirect targets"},
    Field{sizeof(Core), "code page"},
};
static_assert(std::ranges::is_sorted(kFields, {}, &Field::begin));

template <size_t count>
std::string_view element(const std::array<std::string_view, count>& names, uint64_t begin, uint64_t offset) {
  uint64_t index = (offset - begin) / sizeof(uint64_t);
  return index < count ? names[index] : std::string_view();
}

}  // namespace

std::string_view register_name(unsigned number) {
  return number < kRegisterNames.size() ? kRegisterNames[number] : std::string_view();
}

std::string_view core_field(uint64_t offset) {
  auto next = std::ranges::upper_bound(kFields, offset, {}, &Field::begin);
  if (next == kFields.begin()) return {};
  const Field& field = *std::prev(next);
  if (field.begin == offsetof(Core, context)) return element(kRegisterNames, field.begin, offset);
  if (field.begin == offsetof(Core, thunks)) return element(kThunkNames, field.begin, offset);
  return field.name;
}

}  // namespace hm::measure
