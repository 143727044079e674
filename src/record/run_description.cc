// SPDX-License-Identifier: MIT
#include "record/run_description.h"

#include <utility>

#include "base/nanoseconds.h"

namespace hm::record {

nlohmann::json run_description(const Features& features) {
  if (!features.hardmeter) return nlohmann::json::object();
  nlohmann::json json = parse_json(*features.hardmeter);
  if (!json.is_object()) json = nlohmann::json::object();
  return json;
}

std::string with_list(const std::string& run, const char* key, nlohmann::json list) {
  nlohmann::json json = list.empty() ? nlohmann::json() : parse_json(run);
  if (!json.is_object()) return run;
  json[key] = std::move(list);
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

const nlohmann::json& list_in(const nlohmann::json& json, const char* key) {
  static const nlohmann::json none = nlohmann::json::array();
  auto found = json.find(key);
  return found != json.end() && found->is_array() ? *found : none;
}

uint64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now);
}

std::string text_in(const nlohmann::json& json, const char* key) {
  auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool flag_in(const nlohmann::json& json, const char* key) {
  auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

uint64_t number_in(const nlohmann::json& json, const char* key) {
  auto found = json.find(key);
  return found != json.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

}  // namespace hm::record
