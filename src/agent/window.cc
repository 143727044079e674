// SPDX-License-Identifier: MIT
#include "agent/window.h"

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "agent/services.h"
#include "agent/spool.h"
#include "app/measure/record.h"
#include "app/query/load.h"
#include "event/selection.h"
#include "symbol/file_resolver.h"

namespace hm::agent {
namespace {

// The first that the machine can measure.
constexpr std::string_view kEvents[] = {"l1_cache_miss,l3_cache_miss,dtlb_load_miss,instr_retired", "clock"};

Status record(const Window& window, const std::string& file) {
  Error refused = make_error(ErrorCode::kUnsupported, "nothing can be measured here");
  for (std::string_view events : kEvents) {
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    measure::RecordOptions options;
    options.what.source = measure::SourceKind::kKernel;
    Result<std::vector<event::Selection>> selections = event::parse_selections(events);
    if (!selections) return selections.error();
    options.what.events = *std::move(selections);
    options.what.target.whole_system = true;
    options.what.most_ns = window.lasts_ns;
    options.sampling.frequency_hz = window.frequency_hz;
    options.output = file;
    Result<measure::Recorded> recorded = measure::make_recording(options, {});
    if (recorded && !recorded->refusal) return {};
    refused =
        recorded ? make_error(ErrorCode::kUnsupported, "{}", recorded->refusal->reason) : recorded.error();
  }
  return refused;
}

}  // namespace

Result<store::Batch> measure_window(const Window& window, const std::string& host, const std::string& file,
                                    const WindowUser& use) {
  store::Batch batch;
  batch.host = host;
  batch.time_s = static_cast<uint64_t>(std::max<int64_t>(std::time(nullptr) + window.clock_offset_s, 0));
  Result<std::string> id = make_batch_id(host, batch.time_s);
  if (!id) return id.error();
  batch.id = *std::move(id);
  if (Status recorded = record(window, file); !recorded) return recorded.error();
  Services services;
  const symbol::FileResolver resolver;
  Result<profile::Profile> profile = query::load_profile(file, resolver, query::kDataObjects, {});
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  if (!profile) return profile.error();
  batch.rows = rows_of(*profile, resolver, services, window.privacy);
  use(*profile, resolver);
  return batch;
}

}  // namespace hm::agent
