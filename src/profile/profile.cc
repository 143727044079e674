// SPDX-License-Identifier: MIT
#include "profile/profile.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace hm::profile {
namespace {

// An object, empty where the recording has none or it is damaged.
nlohmann::json private_feature(const record::Features& features) {
  if (!features.hardmeter) return nlohmann::json::object();
  nlohmann::json json = nlohmann::json::parse(*features.hardmeter, nullptr, /*allow_exceptions=*/false);
  return json.is_object() ? json : nlohmann::json::object();
}

nlohmann::json list_in(const nlohmann::json& json, const char* key) {
  auto found = json.find(key);
  return found != json.end() && found->is_array() ? *found : nlohmann::json::array();
}

std::string text_in(const nlohmann::json& json, const char* key) {
  auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::string_view DsoRow::name() const {
  std::string_view text = path;
  if (text.starts_with(symbol::kKernelPrefix)) return symbol::kKernelPrefix;
  if (text.starts_with('/')) text.remove_prefix(text.rfind('/') + 1);
  return text;
}

std::optional<std::string> Profile::pmu() const {
  nlohmann::json json = private_feature(features);
  auto found = json.find("pmu");
  if (found == json.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::vector<std::string> Profile::delivery() const {
  std::vector<std::string> lines;
  nlohmann::json json = private_feature(features);
  for (const nlohmann::json& each : list_in(json, "delivery")) {
    if (!each.is_object()) continue;
    std::string event = text_in(each, "event"), how = text_in(each, "how");
    if (!event.empty() && !how.empty()) lines.push_back(fmt::format("{}: {}", event, how));
  }
  for (const nlohmann::json& each : list_in(json, "shortfalls")) {
    if (each.is_string()) lines.push_back(each.get<std::string>());
  }
  return lines;
}

symbol::Dso* Profile::object(uint32_t dso) const {
  if (dso == 0) return nullptr;
  return &symbolizer_->dso(dsos[dso].path, dsos[dso].build_id);
}

symbol::SourceLine Profile::innermost_line(uint32_t location) const {
  const Location& place = locations[location];
  symbol::Dso* dso = object(place.dso);
  return dso == nullptr ? symbol::SourceLine() : dso->line_of_address(place.address);
}

const std::vector<symbol::Frame>& Profile::frames(uint32_t location) const {
  if (frames_.size() < locations.size()) frames_.resize(locations.size());
  std::vector<symbol::Frame>& frames = frames_[location];
  if (!frames.empty()) return frames;
  const Location& place = locations[location];
  if (symbol::Dso* dso = object(place.dso); dso != nullptr) frames = dso->frames_at(place.offset);
  if (frames.empty()) frames.push_back({functions[place.function].name, {}, 0, false});
  return frames;
}

}  // namespace hm::profile
