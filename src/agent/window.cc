// SPDX-License-Identifier: MIT
#include "agent/window.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "agent/services.h"
#include "agent/spool.h"
#include "app/measure/record_run.h"
#include "app/query/load.h"
#include "event/selection.h"
#include "symbol/file_resolver.h"

namespace hm::agent {
namespace {

// Measured if possible; the instructions are the load. Otherwise the clock, which is always available.
constexpr std::string_view kMisses = "l1_cache_miss,l3_cache_miss,dtlb_load_miss,instr_retired",
                           kTime = "clock";

// Disables debug files, which need more memory and time than the measurement. Readers of the store read them.
constexpr const char* kNoDebugFiles = "/nonexistent";

// A store does not keep fields of objects.
constexpr profile::Needs kStored{.chains = false,
                                 .branches = profile::Branches::kNone,
                                 .cpus = false,
                                 .details = true,
                                 .objects = true,
                                 .fields = false};

Result<measure::RecordOptions> options_for(const Window& window, std::string_view events,
                                           const std::string& file) {
  measure::RecordOptions options;
  Result<std::vector<event::Selection>> selections = event::parse_selections(events);
  if (!selections) return selections.error();
  options.what.events = *std::move(selections);
  options.what.max_ns = window.lasts_ns;
  options.output = file;
  options.sampling.keep_symbols = "never";  // the window is resolved at once, while its processes run
  return options;
}

Status record(const measure::RecordOptions& options) {
  std::error_code ignored;
  std::filesystem::remove(options.output, ignored);
  Result<measure::Recorded> recorded = measure::make_recording(options, {});
  if (!recorded) return recorded.error();
  if (recorded->refusal) return make_error(ErrorCode::kUnsupported, "{}", recorded->refusal->reason);
  return {};
}

Status record_machine(const Window& window, const std::string& file) {
  Status done;
  for (std::string_view events : {kMisses, kTime}) {
    Result<measure::RecordOptions> options = options_for(window, events, file);
    if (!options) return options.error();
    options->what.source = measure::SourceKind::kKernel;
    options->what.target.whole_system = true;
    options->sampling.frequency_hz = window.frequency_hz;
    done = record(*options);
    if (done) return done;
  }
  return done;
}

// Fails with kNotFound if the service has no running process. Writes no recording if all processes were idle.
Status record_service(const Window& window, const std::string& file, Services& services) {
  Result<measure::RecordOptions> options = options_for(window, kMisses, file);
  if (!options) return options.error();
  options->what.source = measure::SourceKind::kSoftware;
  options->what.software.budget = window.service->budget;
  options->what.target.pids = services.processes_of(window.service->name);
  // The service may be the agent's own: exclude this process and its parent.
  std::erase_if(options->what.target.pids, [](pid_t pid) { return pid == ::getpid() || pid == ::getppid(); });
  if (options->what.target.pids.empty())
    return make_error(ErrorCode::kNotFound, "no process of the service {} is running", window.service->name);
  Status done = record(*options);
  bool was_idle = !done && done.error().code == ErrorCode::kNotFound;
  return was_idle ? Status() : done;
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
  Services services;
  Status recorded = window.service ? record_service(window, file, services) : record_machine(window, file);
  if (!recorded) return recorded.error();
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return batch;
  const symbol::FileResolver resolver(symbol::DebugFiles::Options{.root = kNoDebugFiles});
  Result<profile::Profile> profile = query::load_profile(file, resolver, kStored, {});
  std::filesystem::remove(file, ignored);
  if (!profile) return profile.error();
  batch.rows = rows_of(*profile, resolver, services, window.privacy, window.max_rows);
  use(*profile, resolver);
  return batch;
}

}  // namespace hm::agent
