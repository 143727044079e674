// SPDX-License-Identifier: MIT
#include "profile/field_table.h"

#include <fmt/format.h>

#include <utility>

namespace hm::profile {
namespace {

constexpr const char* kUnknown = "[unknown]";

}  // namespace

FieldTable::FieldTable(Profile& profile) : profile_(profile) {
  TypeRow unknown;
  unknown.layout.name = kUnknown;
  profile.types.assign(1, unknown);
  FieldRow field;
  field.text = kUnknown;
  profile.fields.assign(1, field);
}

symbol::DataTypes* FieldTable::types_of(uint32_t dso) {
  auto [found, is_new] = types_of_.try_emplace(dso);
  symbol::Dso* object = is_new ? profile_.object(dso) : nullptr;
  if (object != nullptr && object->elf() != nullptr)
    found->second = std::make_unique<symbol::DataTypes>(*object->elf(), object->symbols());
  return found->second.get();
}

uint32_t FieldTable::field(uint32_t object, const ImagePlace& place, uint32_t location,
                           std::optional<int64_t> above_stack_pointer) {
  const ObjectRow& row = profile_.objects[object];
  Known* known = row.kind == ObjectKind::kGlobal ? &variable(object) : nullptr;
  bool is_described = known != nullptr && known->has_value();
  if (!is_described || (*known)->raw) {
    bool on_stack = row.kind == ObjectKind::kStack;
    uint32_t accessed = of_access(location, on_stack);
    if (accessed == 0 && on_stack && above_stack_pointer)
      accessed = look_up_frame(location, *above_stack_pointer);
    if (accessed != 0 || !is_described) return accessed;
  }
  return field_in(**known, static_cast<int64_t>(place.address - (*known)->start));
}

FieldTable::Known& FieldTable::variable(uint32_t object) {
  auto [found, is_new] = variables_.try_emplace(object);
  if (!is_new) return found->second;
  const ObjectRow& row = profile_.objects[object];
  symbol::DataTypes* types = types_of(row.dso);
  auto place = types == nullptr ? std::nullopt : types->of_variable(row.start);
  if (!place) return found->second;
  symbol::DataType held = place->type.element();
  uint32_t type = type_row(row.dso, held);
  found->second.emplace(Typed{.held = place->type,
                              .held_bytes = held.size(),
                              .raw = place->type.is_raw_memory(),
                              .start = row.start - static_cast<uint64_t>(place->offset),
                              .dso = row.dso,
                              .type = type,
                              .name = row.name,
                              .fields = {}});
  return found->second;
}

uint32_t FieldTable::of_access(uint32_t location, bool on_stack) {
  auto [found, is_new] = accesses_.try_emplace({location, on_stack});
  if (is_new) found->second = look_up_access(location, on_stack);
  return found->second;
}

uint32_t FieldTable::look_up_access(uint32_t location, bool on_stack) {
  const Location& place = profile_.locations[location];
  symbol::DataTypes* types = types_of(place.dso);
  auto access = types == nullptr ? std::nullopt : types->of_access(place.address);
  if (!access) return 0;
  bool local = !access->variable.empty();
  if (local &&
      !on_stack) {  // the register holds the variable's address on one way only, but what is there is alike
    std::optional<symbol::DataType> alike = access->type.type_at(access->offset);
    if (!alike) return 0;
    access = symbol::DataTypes::Place{*alike, 0, {}};
  }
  return described(location, *access);
}

uint32_t FieldTable::look_up_frame(uint32_t location, int64_t above_stack_pointer) {
  const Location& place = profile_.locations[location];
  symbol::DataTypes* types = types_of(place.dso);
  auto access = types == nullptr ? std::nullopt : types->in_frame(place.address, above_stack_pointer);
  return access ? described(location, *access) : 0;
}

uint32_t FieldTable::described(uint32_t location, const symbol::DataTypes::Place& access) {
  const Location& place = profile_.locations[location];
  symbol::TypeField field = access.type.field_at(access.offset);
  uint32_t type = type_row(place.dso, access.type.element());
  std::string text = access.variable.empty()
                         ? profile_.types[type].layout.name + field.path
                         : fmt::format("{}{}{} ({})", access.variable, field.indices, field.path,
                                       profile_.functions[place.function].name);
  return field_row(
      {type, field.offset, field.size, std::move(text), std::move(field.path), std::move(field.type)});
}

uint32_t FieldTable::field_in(Typed& typed, int64_t offset) {
  auto inside = static_cast<uint64_t>(offset);
  if (typed.held_bytes != 0) inside %= typed.held_bytes;
  auto [found, is_new] = typed.fields.try_emplace(inside);
  if (!is_new) return found->second;
  symbol::TypeField field = typed.held.field_at(static_cast<int64_t>(inside));
  std::string text = typed.name + field.indices + field.path;
  return found->second = field_row({typed.type, field.offset, field.size, std::move(text),
                                    std::move(field.path), std::move(field.type)});
}

uint32_t FieldTable::type_row(uint32_t dso, const symbol::DataType& type) {
  auto [known, is_new] = types_by_identity_.try_emplace(type.identity());
  if (!is_new) return known->second;
  symbol::TypeLayout layout = type.layout();
  auto [found, is_other] =
      types_.try_emplace({dso, layout.name, layout.size}, static_cast<uint32_t>(profile_.types.size()));
  if (is_other) profile_.types.push_back({dso, std::move(layout)});
  return known->second = found->second;
}

uint32_t FieldTable::field_row(FieldRow row) {
  auto [found, is_new] =
      fields_.try_emplace({row.type, row.offset, row.text}, static_cast<uint32_t>(profile_.fields.size()));
  if (is_new) profile_.fields.push_back(std::move(row));
  return found->second;
}

}  // namespace hm::profile
