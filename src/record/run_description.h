// SPDX-License-Identifier: MIT
// What hardmeter says of a run in its recording (kFeatureHardmeter in record/extension.h): JSON that anybody
// may have damaged.
#pragma once

#include <string>

#include "base/json.h"
#include "record/features.h"

namespace hm::record {

/// An object, empty where the recording has none or it is damaged.
[[nodiscard]] nlohmann::json run_description(const Features& features);

/// A member of an object: empty where there is none, or one of another type. A list is not copied: it may be
/// nested deeper than a stack.
[[nodiscard]] const nlohmann::json& list_in(const nlohmann::json& json, const char* key);
[[nodiscard]] std::string text_in(const nlohmann::json& json, const char* key);
[[nodiscard]] uint64_t number_in(const nlohmann::json& json, const char* key);

}  // namespace hm::record
