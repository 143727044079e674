// SPDX-License-Identifier: MIT
// Results of app/ as text, for the commands and for assistants.
#pragma once

#include <cstddef>
#include <string>

#include "app/query/annotate_query.h"
#include "app/query/explain_query.h"
#include "app/query/overview.h"
#include "app/query/report_query.h"
#include "event/hardware/hardware_events.h"
#include "view/text/table.h"

namespace hm::answer {

// `path` is the recording, for the commands that show more.
[[nodiscard]] std::string overview_text(const query::Overview& overview, const std::string& path,
                                        const text::Style& style);
[[nodiscard]] std::string report_text(const query::Report& report, const text::Style& style);
[[nodiscard]] std::string explanation_text(const query::Explanation& found, const text::Style& style);
// `max_lines` limits the table of lines; 0: no limit.
[[nodiscard]] std::string annotation_text(const query::Annotated& found, const text::Style& style,
                                          size_t max_lines);
// `encodings`: list the hardware encodings, too.
[[nodiscard]] std::string events_text(const event::HardwareEvents& hardware, bool encodings,
                                      const text::Style& style);

}  // namespace hm::answer
