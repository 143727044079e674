// SPDX-License-Identifier: MIT
#include "profile/instance_names.h"

#include <string>
#include <utility>

#include "profile/lookup.h"

namespace hm::profile {

void name_instances(const symbol::Resolver& resolver, Profile& profile) {
  for (FunctionRow& function : profile.functions) {
    const symbol::Object* object = function.size == 0 ? nullptr : object_of(profile, resolver, function.dso);
    if (object == nullptr) continue;
    if (std::string name = object->instance_name(function.start); !name.empty())
      function.name = std::move(name);
  }
}

}  // namespace hm::profile
