// SPDX-License-Identifier: MIT
#include "profile/location_table.h"

#include <fmt/ranges.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "profile/dso_names.h"
#include "profile/lookup.h"

namespace hm::profile {
namespace {

constexpr const char* kUnknown = "[unknown]";

// Missing symbols are no problem for code that was never in a file.
bool expects_names(std::string_view path) {
  bool named = path.starts_with('/') || path.starts_with(symbol::kKernelPrefix);
  return named && !is_jit_code(path);
}

}  // namespace

LocationTable::LocationTable(Profile& profile, const symbol::Resolver& resolver)
    : profile_(profile), resolver_(resolver) {
  (void)dso(kUnknown, "");
}

uint32_t LocationTable::dso(const std::string& path, const std::string& build_id, FileState state,
                            const ProcessMapping& process) {
  std::string key = path + '\0' + build_id_to_look_up({path, build_id, state});
  // Without build IDs, files of the same path in two containers differ by their inodes.
  if (build_id.empty() && process.pid != 0) key += fmt::format("{}{}", '\0', process.inode);
  auto [found, is_new] = dsos_.try_emplace(std::move(key), static_cast<uint32_t>(profile_.dsos.size()));
  if (is_new) profile_.dsos.push_back({path, build_id, state, false, process});
  return found->second;
}

uint32_t LocationTable::location(const DsoOffset& address) {
  uint32_t row = locations_.number(address);
  if (row == profile_.locations.size())
    profile_.locations.push_back({address.dso, address.offset, 0, address.offset});
  return row;
}

void LocationTable::look_up_functions() {
  std::vector<bool> looked_at(profile_.dsos.size());
  for (Location& location : profile_.locations) {
    look_up(location);
    looked_at[location.dso] = true;
  }
  add_problems(looked_at);
  add_processors(looked_at);
}

void LocationTable::add_processors(const std::vector<bool>& looked_at) {
  std::set<std::string> processors;
  for (uint32_t dso = 0; dso < profile_.dsos.size(); ++dso) {
    const symbol::Object* object = looked_at[dso] ? object_of(profile_, resolver_, dso) : nullptr;
    if (object == nullptr || object->problem()) continue;
    symbol::Machine machine = object->code_kind(0).machine;
    if (!machine.is_x86_64()) processors.insert(symbol::name_of(machine));
  }
  if (processors.empty()) return;
  profile_.notes.push_back(
      fmt::format("the code is for {}: walks, data addresses and data types are read from x86-64 code only",
                  fmt::join(processors, ", ")));
}

void LocationTable::add_problems(const std::vector<bool>& looked_at) {
  std::vector<std::string_view> foreign;
  for (uint32_t dso = 0; dso < profile_.dsos.size(); ++dso) {
    const symbol::Object* object = looked_at[dso] ? object_of(profile_, resolver_, dso) : nullptr;
    if (object == nullptr) continue;
    profile_.dsos[dso].is_unnamed_jit = is_jit_code(profile_.dsos[dso].path) && object->problem().has_value();
    if (!expects_names(profile_.dsos[dso].path)) continue;
    if (profile_.dsos[dso].file == FileState::kForeign && object->problem())
      foreign.push_back(profile_.dsos[dso].name());
    else if (std::optional<Error> problem = object->problem())
      profile_.problems.push_back(problem->message);
  }
  if (foreign.empty()) return;
  profile_.problems.push_back(fmt::format(
      "the recording was made on another machine or kernel and lacks the build IDs of {}: files of this machine are not used for them (--trust-files uses files of the same name)",
      fmt::join(foreign, ", ")));
}

void LocationTable::look_up(Location& location) {
  const symbol::Object* object = object_of(profile_, resolver_, location.dso);
  if (object == nullptr) {
    location.function = function({location.dso, kUnknown, 0, 0});
    return;
  }
  symbol::Function found = object->function_at(location.offset);
  location.address = object->address_of(location.offset).value_or(location.offset);
  location.function = function({location.dso, std::move(found.name), found.start, found.size});
}

uint32_t LocationTable::function(FunctionRow row) {
  uint32_t number = functions_.number({row.dso, row.start});
  if (number == profile_.functions.size()) profile_.functions.push_back(std::move(row));
  return number;
}

}  // namespace hm::profile
