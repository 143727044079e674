// SPDX-License-Identifier: MIT
// hardmeter's description of a run in its recording (kFeatureHardmeter in record/extension.h): JSON from an
// untrusted file.
#pragma once

#include <string>

#include "base/json.h"
#include "record/features.h"

namespace hm::record {

/// Member of the description: when the recording ended, in nanoseconds since 1970.
inline constexpr const char* kEndedNs = "ended_ns";
/// Returns the present time for it.
[[nodiscard]] uint64_t now_ns();

/// Returns an object, empty if the recording has no description or it is damaged.
[[nodiscard]] nlohmann::json run_description(const Features& features);

/// Returns the text of a description with this list. Returns the text unchanged if the list is empty or the
/// text is not a JSON object.
[[nodiscard]] std::string with_list(const std::string& run, const char* key, nlohmann::json list);

/// Return a member of an object; an empty value if it is missing or of another type. A list is returned by
/// reference, because copying deeply nested JSON could overflow the stack.
[[nodiscard]] const nlohmann::json& list_in(const nlohmann::json& json, const char* key);
[[nodiscard]] std::string text_in(const nlohmann::json& json, const char* key);
[[nodiscard]] bool flag_in(const nlohmann::json& json, const char* key);
[[nodiscard]] uint64_t number_in(const nlohmann::json& json, const char* key);

}  // namespace hm::record
