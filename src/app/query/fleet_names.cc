// SPDX-License-Identifier: MIT
#include "app/query/fleet_names.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "store/unnamed_places.h"

namespace hm::query {
namespace {

bool is_about_code(store::Key key) {
  return key == store::Key::kFunction || key == store::Key::kFile || key == store::Key::kLine;
}

// code offsets by build ID
using Offsets = std::map<std::string, std::set<uint64_t>>;

Status add_places(store::Store& store, const store::Selection& selection, size_t most, Offsets& offsets,
                  fleet::Naming& naming) {
  Result<std::vector<store::UnnamedPlace>> places = store::unnamed_places(store, selection, most + 1);
  if (!places) return places.error();
  if (places->size() > most) {
    naming.more = true;
    places->resize(most);
  }
  for (const store::UnnamedPlace& each : *places) {
    if (offsets[each.build_id].insert(each.offset).second) ++naming.places;
  }
  return {};
}

std::vector<store::LateName> look_up(symbol::BuildNames& names, const Offsets& offsets,
                                     fleet::Naming& naming) {
  std::vector<store::LateName> found;
  for (const auto& [build_id, of_build] : offsets) {
    std::vector<uint64_t> addresses(of_build.begin(), of_build.end());
    auto known = names.names_of(build_id, addresses);
    if (!known) naming.unknown.push_back(build_id);
    for (size_t i = 0; known && i < addresses.size(); ++i) {
      const auto& [function, line] = (*known)[i];
      if (!function.empty()) found.push_back({build_id, addresses[i], function, line.file, line.line});
    }
  }
  naming.unnamed = naming.places - found.size();
  naming.queries_servers = names.queries_servers();
  naming.problems = names.problems();
  return found;
}

}  // namespace

Result<std::optional<fleet::Naming>> find_names(store::Store& store, symbol::BuildNames* names,
                                                const std::vector<store::Key>& keys,
                                                std::span<store::Selection> selections) {
  std::optional<fleet::Naming> naming;
  bool needs_names = std::ranges::any_of(keys, is_about_code) ||
                     std::ranges::any_of(selections, [](const auto& each) { return !each.function.empty(); });
  if (names == nullptr || !needs_names) return naming;
  naming.emplace();
  Offsets offsets;
  for (const store::Selection& each : selections) {
    Status added = add_places(store, each, kMaxUnnamedPlaces / selections.size(), offsets, *naming);
    if (!added) return added.error();
  }
  auto found = std::make_shared<const std::vector<store::LateName>>(look_up(*names, offsets, *naming));
  for (store::Selection& each : selections) each.names = found;
  return naming;
}

}  // namespace hm::query
