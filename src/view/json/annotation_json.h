// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/annotate/annotation.h"

namespace hm::json {

// {"schema": 1, "recording": {...}, "function", "dso", "start", "size", "others": [{"function", "dso",
// "samples"}...], "events": {NAME: {"samples", "estimated", "share"}}, "lines": [{"file", "line", "source",
// COUNTS}...], "instructions": [{"address", "text", "file", "line", COUNTS}...], "no_code"}. "others" are
// further functions that match the name. COUNTS are "counts", "estimated" and "share" by event, as in
// hotspots_json, with shares of the function's samples. Addresses are numbers. Unknown values are null.
[[nodiscard]] std::string annotation_json(const profile::Profile& profile,
                                          const annotate::Annotation& result);

}  // namespace hm::json
