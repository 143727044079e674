// SPDX-License-Identifier: MIT
#include "web/live.h"

#include "app/query/events.h"
#include "app/query/report_query.h"
#include "symbol/file_resolver.h"
#include "view/json/event_list_json.h"
#include "view/json/hotspots_json.h"
#include "view/json/values.h"

namespace hm::web {

std::string recorder_json(const RecorderState& state) {
  json::Json value{{"schema", json::kSchema},
                   {"running", state.running},
                   {"command", state.command},
                   {"path", json::text_or_null(state.path)},
                   {"bytes", state.bytes},
                   {"seconds", state.seconds},
                   {"exit_status", json::or_null(state.exit_status)},
                   {"said", state.said}};
  return compact_json(value);
}

Result<std::string> live_hotspots(const RecorderState& state) {
  constexpr uint64_t kMaxBytes = uint64_t{400} << 20;
  constexpr size_t kRows = 20;
  if (state.bytes == 0) return make_error(ErrorCode::kNotFound, "nothing is recorded yet");
  if (state.bytes > kMaxBytes)
    return make_error(ErrorCode::kUnsupported,
                      "the recording is larger than {} MiB: it is shown when it has ended", kMaxBytes >> 20);
  symbol::FileResolver resolver;
  query::ReportOptions options;
  options.input = state.path;
  options.hotspots.limit = kRows;
  Result<query::Report> report = query::report(options, resolver);
  if (!report) return report.error();
  return json::hotspots_json(report->profile, report->hotspots);
}

Result<std::string> events_of_machine() {
  Result<event::HardwareEvents> events = query::list_events({});
  if (!events) return events.error();
  return json::event_list_json(*events);
}

}  // namespace hm::web
