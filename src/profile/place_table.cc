// SPDX-License-Identifier: MIT
#include "profile/place_table.h"

#include <utility>

#include "profile/lookup.h"

namespace hm::profile {
namespace {

constexpr const char* kUnknown = "[unknown]";

// Nobody expects names for code that was never in a file: anonymous memory, a just-in-time compiler's.
bool expects_names(std::string_view path) {
  bool named = path.starts_with('/') || path.starts_with(symbol::kKernelPrefix);
  return named && !path.starts_with("/tmp/perf-");
}

}  // namespace

PlaceTable::PlaceTable(Profile& profile, const symbol::Resolver& resolver)
    : profile_(profile), resolver_(resolver) {
  (void)dso(kUnknown, "");
}

uint32_t PlaceTable::dso(const std::string& path, const std::string& build_id) {
  auto [found, is_new] =
      dsos_.try_emplace(path + '\0' + build_id, static_cast<uint32_t>(profile_.dsos.size()));
  if (is_new) profile_.dsos.push_back({path, build_id});
  return found->second;
}

uint32_t PlaceTable::location(const Place& place) {
  uint32_t row = locations_.number(place);
  if (row == profile_.locations.size())
    profile_.locations.push_back({place.dso, place.offset, 0, place.offset});
  return row;
}

void PlaceTable::look_up_functions() {
  std::vector<bool> looked_at(profile_.dsos.size());
  for (Location& location : profile_.locations) {
    look_up(location);
    looked_at[location.dso] = true;
  }
  for (uint32_t dso = 0; dso < profile_.dsos.size(); ++dso) {
    const symbol::Object* object = looked_at[dso] ? object_of(profile_, resolver_, dso) : nullptr;
    if (object == nullptr || !expects_names(profile_.dsos[dso].path)) continue;
    if (std::optional<Error> problem = object->problem()) profile_.problems.push_back(problem->message);
  }
}

void PlaceTable::look_up(Location& location) {
  const symbol::Object* object = object_of(profile_, resolver_, location.dso);
  if (object == nullptr) {
    location.function = function({location.dso, kUnknown, 0, 0});
    return;
  }
  symbol::Function found = object->function_at(location.offset);
  location.address = object->address_of(location.offset).value_or(location.offset);
  location.function = function({location.dso, std::move(found.name), found.start, found.size});
}

uint32_t PlaceTable::function(FunctionRow row) {
  uint32_t number = functions_.number({row.dso, row.start});
  if (number == profile_.functions.size()) profile_.functions.push_back(std::move(row));
  return number;
}

}  // namespace hm::profile
