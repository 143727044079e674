// SPDX-License-Identifier: MIT
#include "profile/instance_names.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/lookup.h"

namespace hm::profile {
namespace {

// Replaces the last component of "shop::walk" by "walk<u32>"; returns the name itself if it has another one.
std::string with_instance(const std::string& name, const std::string& instance) {
  std::string_view component = std::string_view(instance).substr(0, instance.find('<'));
  if (component.empty() || !name.ends_with(component)) return name;
  std::string scope = name.substr(0, name.size() - component.size());
  return scope.empty() || scope.ends_with("::") ? scope + instance : name;
}

}  // namespace

void name_instances(const symbol::Resolver& resolver, Profile& profile) {
  std::map<std::pair<uint32_t, std::string>, std::vector<uint32_t>> same_names;
  for (uint32_t row = 0; row < profile.functions.size(); ++row)
    same_names[{profile.functions[row].dso, profile.functions[row].name}].push_back(row);
  for (const auto& [name, rows] : same_names) {
    const symbol::Object* object = rows.size() < 2 ? nullptr : object_of(profile, resolver, name.first);
    if (object == nullptr) continue;
    for (uint32_t row : rows) {
      FunctionRow& function = profile.functions[row];
      if (function.size != 0)
        function.name = with_instance(function.name, object->instance_name(function.start));
    }
  }
}

}  // namespace hm::profile
