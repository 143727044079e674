// SPDX-License-Identifier: MIT
#include "view/json/callers_json.h"

namespace hm::json {

Json callers_json(const std::vector<callers::Caller>& callers) {
  Json list = Json::array();
  for (const callers::Caller& caller : callers) {
    list.push_back({{"function", caller.function},
                    {"dso", caller.dso},
                    {"inlined", caller.inlined},
                    {"file", text_or_null(caller.file)},
                    {"line", caller.line == 0 ? Json() : Json(caller.line)},
                    {"samples", caller.samples},
                    {"share", caller.share},
                    {"callers", callers_json(caller.callers)}});
  }
  return list;
}

}  // namespace hm::json
