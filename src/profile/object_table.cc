// SPDX-License-Identifier: MIT
#include "profile/object_table.h"

#include <utility>

#include "profile/lookup.h"

namespace hm::profile {

ObjectTable::ObjectTable(Profile& profile, const symbol::Resolver& resolver)
    : profile_(profile), resolver_(resolver) {
  profile.objects.clear();
  (void)only(ObjectKind::kUnknown);
}

uint32_t ObjectTable::row(ObjectRow row) {
  auto [found, is_new] = rows_.try_emplace({row.kind, row.dso, row.start, row.thread, row.name},
                                           static_cast<uint32_t>(profile_.objects.size()));
  if (is_new) profile_.objects.push_back(std::move(row));
  return found->second;
}

uint32_t ObjectTable::variable(const ImagePlace& place) {
  const symbol::Object* object = object_of(profile_, resolver_, place.dso);
  std::optional<symbol::DataObject> found = object == nullptr ? std::nullopt : object->data_at(place.address);
  if (!found) return 0;
  if (!found->known()) return row({ObjectKind::kSection, place.dso, std::move(found->name), 0, 0, 0});
  return row({ObjectKind::kGlobal, place.dso, std::move(found->name), found->start, found->size, 0});
}

}  // namespace hm::profile
