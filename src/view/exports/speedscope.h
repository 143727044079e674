// SPDX-License-Identifier: MIT
// Export to the JSON of https://www.speedscope.app (https://www.speedscope.app/file-format-schema.json): a
// profile of kind "sampled" for each event and thread. Weights are event counts, or nanoseconds if the event
// is a clock.
#pragma once

#include "base/result.h"
#include "view/exports/export_selection.h"
#include "view/exports/pieces.h"

namespace hm::exports {

[[nodiscard]] Status write_speedscope(const Selection& selection, const Write& write);

}  // namespace hm::exports
