// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace hm::record {

// For kFeatureHardmeter (record/extension.h): one line; bytes that are no UTF-8 (file names are any) are
// replaced.
inline std::string json_text(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace hm::record
