// SPDX-License-Identifier: MIT
#include "store/unnamed_places.h"

#include <fmt/format.h>

#include "store/answer.h"

namespace hm::store {

Result<std::vector<UnnamedPlace>> unnamed_places(Store& store, const Selection& selection, size_t limit) {
  Selection of_any_function = selection;
  of_any_function.function.clear();
  Result<std::string> where = condition_of(store, of_any_function, Rows::kPlaces);
  if (!where) return where.error();
  Result<Answer> answer = store.ask(
      fmt::format("SELECT build_id, offset, sum(count) AS count_ FROM {} WHERE {} AND {} GROUP BY build_id, "
                  "offset ORDER BY count_ DESC, build_id, offset LIMIT {}",
                  store.table(), *where, kHasNoName, limit));
  if (!answer) return answer.error();
  std::vector<UnnamedPlace> places;
  for (const std::vector<nlohmann::json>& row : *answer) {
    if (row.size() != 3 || !row[1].is_number_integer())
      return make_error(ErrorCode::kDamaged, "the store does not return the addresses of its unnamed code");
    places.push_back({text_of(row[0]), row[1].get<uint64_t>()});
  }
  return places;
}

}  // namespace hm::store
