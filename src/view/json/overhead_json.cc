// SPDX-License-Identifier: MIT
#include "view/json/overhead_json.h"

#include "view/json/values.h"

namespace hm::json {

std::string overhead_json(const std::vector<overhead::Cost>& costs) {
  Json json{{"schema", kSchema}, {"ways", Json::array()}};
  for (const overhead::Cost& cost : costs) {
    json["ways"].push_back({{"name", cost.name},
                            {"obstacle", cost.obstacle.empty() ? Json() : Json(cost.obstacle)},
                            {"wall_seconds", to_json(cost.wall_seconds)},
                            {"cpu_seconds", to_json(cost.cpu_seconds)},
                            {"more_wall", to_json(cost.more_wall)},
                            {"more_cpu", to_json(cost.more_cpu)},
                            {"samples_per_second", or_null(cost.samples_per_second)},
                            {"lost", cost.lost}});
  }
  return indented_json(json);
}

}  // namespace hm::json
