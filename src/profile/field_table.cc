// SPDX-License-Identifier: MIT
#include "profile/field_table.h"

#include <fmt/format.h>

#include <utility>

#include "profile/lookup.h"

namespace hm::profile {
namespace {

constexpr const char* kUnknownType = "[unknown]";

}  // namespace

FieldTable::FieldTable(Profile& profile, const symbol::Resolver& resolver)
    : profile_(profile), resolver_(resolver) {
  TypeRow unknown;
  unknown.layout.name = kUnknownType;
  profile.types.assign(1, unknown);
  FieldRow field;
  field.text = kUnknownType;
  profile.fields.assign(1, field);
}

uint32_t FieldTable::field(uint32_t object, const ImagePlace& place, uint32_t location,
                           std::optional<int64_t> above_stack_pointer) {
  const ObjectRow& row = profile_.objects[object];
  Known* known = row.kind == ObjectKind::kGlobal ? &variable(object) : nullptr;
  bool is_described = known != nullptr && known->has_value();
  if (!is_described || (*known)->is.is_raw) {
    bool on_stack = row.kind == ObjectKind::kStack;
    uint32_t accessed = of_access(location, on_stack);
    if (accessed == 0 && on_stack && above_stack_pointer)
      accessed = look_up_frame(location, *above_stack_pointer);
    if (accessed != 0 || !is_described) return accessed;
  }
  return field_in(**known, static_cast<int64_t>(place.address - (*known)->is.start));
}

FieldTable::Known& FieldTable::variable(uint32_t object) {
  auto [found, is_new] = variables_.try_emplace(object);
  if (!is_new) return found->second;
  const ObjectRow& row = profile_.objects[object];
  const symbol::Object* file = object_of(profile_, resolver_, row.dso);
  std::optional<symbol::VariableType> is = file == nullptr ? std::nullopt : file->variable_type(row.start);
  if (!is) return found->second;
  uint32_t type = type_row(row.dso, is->element);
  found->second.emplace(Typed{.is = *std::move(is),
                              .address = row.start,
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
  const symbol::Object* object = object_of(profile_, resolver_, place.dso);
  auto access = object == nullptr ? std::nullopt : object->accessed_field(place.address, on_stack);
  return access ? described(location, *std::move(access)) : 0;
}

uint32_t FieldTable::look_up_frame(uint32_t location, int64_t above_stack_pointer) {
  const Location& place = profile_.locations[location];
  const symbol::Object* object = object_of(profile_, resolver_, place.dso);
  auto found = object == nullptr ? std::nullopt : object->frame_field(place.address, above_stack_pointer);
  return found ? described(location, *std::move(found)) : 0;
}

uint32_t FieldTable::described(uint32_t location, symbol::DescribedField access) {
  const Location& place = profile_.locations[location];
  symbol::TypeField& field = access.field;
  uint32_t type = type_row(place.dso, access.element);
  std::string text = access.variable.empty()
                         ? profile_.types[type].layout.name + field.path
                         : fmt::format("{}{}{} ({})", access.variable, field.indices, field.path,
                                       profile_.functions[place.function].name);
  return field_row(
      {type, field.offset, field.size, std::move(text), std::move(field.path), std::move(field.type)});
}

uint32_t FieldTable::field_in(Typed& typed, int64_t offset) {
  auto inside = static_cast<uint64_t>(offset);
  if (typed.is.element_bytes != 0) inside %= typed.is.element_bytes;
  auto [found, is_new] = typed.fields.try_emplace(inside);
  if (!is_new) return found->second;
  const symbol::Object* object = object_of(profile_, resolver_, typed.dso);
  symbol::TypeField field =
      object->variable_field(typed.address, static_cast<int64_t>(inside)).value_or(symbol::TypeField());
  std::string text = typed.name + field.indices + field.path;
  return found->second = field_row({typed.type, field.offset, field.size, std::move(text),
                                    std::move(field.path), std::move(field.type)});
}

uint32_t FieldTable::type_row(uint32_t dso, const std::shared_ptr<const symbol::TypeLayout>& layout) {
  auto [known, is_new] = types_by_layout_.try_emplace(layout);
  if (!is_new) return known->second;
  auto [found, is_other] =
      types_.try_emplace({dso, layout->name, layout->size}, static_cast<uint32_t>(profile_.types.size()));
  if (is_other) profile_.types.push_back({dso, *layout});
  return known->second = found->second;
}

uint32_t FieldTable::field_row(FieldRow row) {
  auto [found, is_new] =
      fields_.try_emplace({row.type, row.offset, row.text}, static_cast<uint32_t>(profile_.fields.size()));
  if (is_new) profile_.fields.push_back(std::move(row));
  return found->second;
}

}  // namespace hm::profile
