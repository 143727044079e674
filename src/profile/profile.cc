// SPDX-License-Identifier: MIT
#include "profile/profile.h"

#include <nlohmann/json.hpp>

namespace hm::profile {

std::string_view DsoRow::name() const {
  std::string_view text = path;
  if (text.starts_with(symbol::kKernelPrefix)) return symbol::kKernelPrefix;
  if (text.starts_with('/')) text.remove_prefix(text.rfind('/') + 1);
  return text;
}

std::optional<std::string> Profile::pmu() const {
  if (!features.hardmeter) return std::nullopt;
  nlohmann::json json = nlohmann::json::parse(*features.hardmeter, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  auto found = json.find("pmu");
  if (found == json.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
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
