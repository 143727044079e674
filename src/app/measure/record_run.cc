// SPDX-License-Identifier: MIT
#include "app/measure/record_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/measure/jit_names.h"
#include "app/measure/samples_by_time.h"
#include "app/measure/sources.h"
#include "base/json.h"
#include "host/cpu_features.h"
#include "host/host_caches.h"
#include "pmu/linux/host_features.h"
#include "record/run_part.h"

namespace hm::measure {
namespace {

using Sources = std::vector<std::unique_ptr<pmu::Source>>;

// Returns the caches in perf's format.
std::vector<record::CacheInfo> caches_of_host() {
  std::vector<record::CacheInfo> caches;
  for (const host::HostCache& cache : host::host_caches(0)) {
    caches.push_back({static_cast<uint32_t>(cache.level), cache.line_bytes, cache.sets, cache.ways,
                      cache.type, fmt::format("{}K", cache.size_bytes() / 1024), cache.cpus});
  }
  return caches;
}

std::string with_cpu_time(const std::string& description, const std::optional<record::CpuUse>& use) {
  if (!use) return description;
  nlohmann::json json = parse_json(description);
  json["cpu_time"] = record::cpu_use_json(*use);
  return json_line(json);
}

// Adds the processor properties by which libraries choose their code paths.
std::string with_processor(const std::string& description) {
  nlohmann::json json = parse_json(description);
  if (!json.is_object()) json = nlohmann::json::object();
  static const std::string features = host::cpu_features(), caches = host::cpu_caches();  // many files
  json["processor_features"] = features;
  json["processor_caches"] = caches;
  return json_line(json);
}

// The first source owns the recording's metadata; other sources only add their events.
record::RecordingStart describe_start(const Sources& sources, const std::vector<std::string>& command_line) {
  record::RecordingStart start;
  start.features = linux_pmu::host_features(command_line);
  for (const auto& source : sources) {
    auto before = start.features.hardmeter;
    source->describe(start);
    if (source != sources.front()) start.features.hardmeter = before;
  }
  if (start.features.caches.empty()) start.features.caches = caches_of_host();
  start.features.hardmeter = with_processor(start.features.hardmeter.value_or(""));
  return start;
}

std::string describe_run(const Sources& sources, const pmu::Outcome& outcome) {
  std::string first = with_cpu_time(sources.front()->describe_run(outcome), sources.front()->cpu_use());
  if (sources.size() == 1) return first;
  nlohmann::json json = parse_json(first);
  for (size_t i = 1; i < sources.size(); ++i)
    json["beside"].push_back(parse_json(sources[i]->describe_run(outcome)));
  return json_line(json);
}

template <typename T>
void append(std::vector<T>& all, std::vector<T> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

pmu::Report report_of(const Sources& sources) {
  pmu::Report report = sources.front()->report();
  for (size_t i = 1; i < sources.size(); ++i) {
    pmu::Report more = sources[i]->report();
    append(report.delivery, std::move(more.delivery));
    append(report.shortfalls, std::move(more.shortfalls));
    append(report.obstacles, std::move(more.obstacles));
  }
  return report;
}

pmu::Counts counts_of(const Sources& sources) {
  pmu::Counts counts = sources.front()->counts();
  for (size_t i = 1; i < sources.size(); ++i) {
    pmu::Counts more = sources[i]->counts();
    append(counts.events, std::move(more.events));
    append(counts.notes, std::move(more.notes));
    append(counts.obstacles, std::move(more.obstacles));
  }
  return counts;
}

totals::Counting counting_of(const MeasureOptions& options, const Run& run, std::string who,
                             pmu::Counts counts) {
  totals::Counting counting;
  counting.command = options.target.command;
  counting.target = describe_target(options);
  counting.pmu = std::move(who);
  if (!options.usual_events) {
    for (const event::Selection& each : options.events) counting.requested.push_back(each.name);
  }
  counting.exit_status = run.command.exit_status;
  counting.notes = std::move(counts.notes);
  if (counts.modelled)
    counting.modelled = totals::Modelled{.machine = counts.modelled->machine,
                                         .processes = counts.modelled->processes,
                                         .threads = counts.modelled->threads,
                                         .unrecorded_processes = counts.modelled->unrecorded_processes,
                                         .cycles = counts.modelled->cycles,
                                         .wait_share_error = counts.modelled->wait_share_error,
                                         .unseen_waits = counts.modelled->unseen_waits,
                                         .costs = counts.modelled->costs,
                                         .cost_model = counts.modelled->cost_model};
  counting.totals.elapsed_ns = run.outcome.elapsed_ns;
  for (pmu::EventCount& each : counts.events) {
    totals::EventTotal event{std::move(each.name), {}, {}, {}};
    event.count.exact = totals::Exact{each.value, each.time_enabled_ns, each.time_running_ns, each.in_bursts,
                                      each.relative_error};
    counting.totals.events.push_back(std::move(event));
  }
  totals::add_rates(counting.totals);
  if (counts.in_episodes) {
    for (totals::EventTotal& each : counting.totals.events) each.per_second.reset();
  }
  return counting;
}

// Returns the description of a recording that would end now; empty if the PMU has none before the end.
std::string description_so_far(const Sources& sources) {
  std::string so_far = sources.front()->describe_so_far();
  return so_far.empty() ? so_far : with_processor(so_far);
}

// Returns the metadata for a recording that would end now.
record::Features features_so_far(const Sources& sources, record::Features features) {
  if (std::string so_far = description_so_far(sources); !so_far.empty()) features.hardmeter = so_far;
  for (const auto& source : sources) source->describe(features);
  return features;
}

// Records into a sink that has begun; finishes the sink even if an error occurs.
Result<Recorded> record_into(record::RecordingSink& sink, const Sources& sources, record::Features features,
                             const Observer& observer, const RecordOptions& options) {
  pmu::Sink append_to = [&](Bytes records) { return sink.append(records); };
  Observer observing = observer;
  auto describe_so_far = [&] {
    if (std::string so_far = description_so_far(sources); !so_far.empty()) sink.describe(so_far);
  };
  observing.progress = [&](const pmu::Progress& progress) {
    describe_so_far();
    if (observer.progress) observer.progress(progress);
  };
  observing.full = [&] { return sink.is_full(); };
  Result<Run> run = measure::run(sources, append_to, observing, options.what.max_ns);
  Recorded recorded;
  if (!run || run->refusal) {
    describe_so_far();
    (void)sink.finish(features_so_far(
        sources, features));  // completes the partial output; the first error is the one to report
    if (!run) return run.error();
    recorded.refusal = run->refusal;
    return recorded;
  }
  for (const auto& source : sources) source->describe(features);
  features.hardmeter = with_processor(describe_run(sources, run->outcome));
  if (sink.is_full()) {
    record::SizeLimit limit{options.file.max_bytes, run->outcome.full_after_ns, run->outcome.elapsed_ns};
    recorded.stopped = record::size_limit_text(limit);
    features.hardmeter = record::with_size_limit(*features.hardmeter, limit);
  }
  if (Status finished = sink.finish(features); !finished) return finished.error();
  recorded.files = sink.files();
  recorded.outcome = run->outcome;
  recorded.command = run->command;
  recorded.progress = run->progress;
  recorded.progress.samples -= std::min(recorded.progress.samples, sink.dropped_samples());
  recorded.bytes = sink.bytes();
  recorded.report = report_of(sources);
  recorded.cpu = sources.front()->cpu_use();
  return recorded;
}

std::unique_ptr<record::RecordingSink> file_sink(const RecordOptions& options) {
  if (options.rotation) return std::make_unique<record::RotatingSink>(options.output, *options.rotation);
  return std::make_unique<record::PerfDataSink>(options.output, options.file);
}

}  // namespace

Result<Recorded> make_recording(const RecordOptions& asked, const Observer& observer) {
  Result<ByTime> by_time = sample_by_time(asked.what, asked.sampling, linux_pmu::this_kernel());
  if (!by_time) return by_time.error();
  RecordOptions options = asked;
  options.what = by_time->what;
  options.sampling = by_time->sampling;
  Result<OpenSources> sources = open_sources(options.what, &options.sampling);
  if (!sources) return sources.error();
  if (sources->refusal) {
    Recorded refused;
    refused.refusal = sources->refusal;
    return refused;
  }
  if (options.sampling.jit_names) request_jit_names();
  std::unique_ptr<record::RecordingSink> file;
  if (options.sink == nullptr) file = file_sink(options);
  record::RecordingSink& sink = options.sink != nullptr ? *options.sink : *file;
  record::RecordingStart start = describe_start(sources->all, options.command_line);
  start.has_descriptions = sources->all.front()->has_description_so_far();
  start.features_so_far = [&] { return features_so_far(sources->all, start.features); };
  if (Status begun = sink.begin(start); !begun) return begun.error();
  Result<Recorded> recorded = record_into(sink, sources->all, start.features, observer, options);
  if (!recorded) return recorded;
  recorded->title = sources->title;
  recorded->reason = by_time->reason.empty() ? sources->reason : by_time->reason;
  return recorded;
}

Result<Counted> count_events(const MeasureOptions& options, const Observer& observer) {
  Result<OpenSources> sources = open_sources(options, nullptr);
  if (!sources) return sources.error();
  Counted counted;
  counted.refusal = sources->refusal;
  if (counted.refusal) return counted;
  Result<Run> run = measure::run(
      sources->all, [](Bytes) { return Status(); }, observer, options.max_ns);
  if (!run) return run.error();
  counted.refusal = run->refusal;
  if (counted.refusal) return counted;
  counted.outcome = run->outcome;
  counted.command = run->command;
  pmu::Counts counts = counts_of(sources->all);
  counted.obstacles = std::move(counts.obstacles);
  counted.counting = counting_of(options, *run, sources->all.front()->report().name, std::move(counts));
  counted.counting.cpu = sources->all.front()->cpu_use();
  return counted;
}

}  // namespace hm::measure
