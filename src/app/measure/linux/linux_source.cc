// SPDX-License-Identifier: MIT
#include "app/measure/linux/linux_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/measure/linux/linux_description.h"
#include "app/seen_processes.h"
#include "base/process_files.h"
#include "base/process_stat.h"
#include "base/taken_by_processes.h"
#include "pmu/linux/description.h"
#include "pmu/linux/resolve.h"
#include "pmu/linux/ring_bytes.h"
#include "pmu/linux/running_processes.h"
#include "pmu/linux/tracing_data.h"
#include "record/whole_records.h"

namespace hm::measure {
namespace {

using linux_pmu::Kernel;

size_t ring_bytes_of(Kernel& kernel, const LinuxOptions& options) {
  return options.ring_bytes != 0 ? options.ring_bytes : linux_pmu::usual_ring_bytes(kernel);
}

// Opened events and a prepared command.
struct Prepared {
  std::optional<linux_pmu::Command> command;
  std::optional<linux_pmu::Session> session;
};

Result<std::vector<pid_t>> threads_of_target(Kernel& kernel, const linux_pmu::Target& target) {
  std::vector<pid_t> threads = target.tids;
  for (pid_t pid : target.pids) {
    std::vector<pid_t> of_pid = linux_pmu::threads_of(kernel, pid);
    if (of_pid.empty())
      return make_error(ErrorCode::kNotFound, "cannot measure process {}: {}", pid, no_process_text());
    threads.insert(threads.end(), of_pid.begin(), of_pid.end());
  }
  std::ranges::sort(threads);
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());  // count no thread twice
  return threads;
}

Result<Prepared> prepare(Kernel& kernel, const LinuxOptions& options) {
  Result<std::vector<linux_pmu::Event>> events = linux_pmu::resolve_all(
      kernel, options.events, options.sampling ? event::Use::kSample : event::Use::kCount);
  if (!events) return events.error();
  Result<std::vector<pid_t>> threads = threads_of_target(kernel, options.target);
  if (!threads) return threads.error();
  Prepared prepared;
  if (!options.target.command.empty()) {
    Result<linux_pmu::Command> command = linux_pmu::Command::prepare(
        options.target.command, options.target.output, options.target.output_file);
    if (!command) return command.error();
    prepared.command = *std::move(command);
    if (options.target.only_a_command()) threads->push_back(prepared.command->pid());
  }
  linux_pmu::Intent intent{options.target, *std::move(events), options.sampling, options.modes,
                           options.inherit};
  Result<linux_pmu::Session> session =
      linux_pmu::Session::open(kernel, intent, *threads, ring_bytes_of(kernel, options));
  if (!session) return session.error();
  prepared.session = *std::move(session);
  return prepared;
}

// Describes the kernel and the processes that already run.
std::vector<std::byte> describe_what_runs(Kernel& kernel, const LinuxOptions& options,
                                          const linux_pmu::Session& session) {
  const perf_event_attr& attr = session.events().front().attr;
  bool data_too = attr.mmap_data != 0;
  ByteWriter out;
  // Reading the kernel's symbols takes at least 20 ms.
  bool sees_kernel =
      std::ranges::any_of(session.events(), [](const auto& each) { return each.attr.exclude_kernel == 0; });
  if (sees_kernel) linux_pmu::describe_kernel(linux_pmu::files_of(kernel), attr, out);
  std::vector<pid_t> pids = options.target.pids;
  for (pid_t tid : options.target.tids) pids.push_back(linux_pmu::process_of(kernel, tid));
  if (options.target.by_cpu()) pids = linux_pmu::running_processes(kernel);
  for (pid_t pid : pids) linux_pmu::describe_process(kernel, pid, attr, data_too, out);
  return std::move(out).take();
}

std::vector<std::byte> describe_tracepoints(Kernel& kernel, const std::vector<event::Selection>& events) {
  std::vector<std::string> names;
  for (const event::Selection& each : events) {
    if (!each.tracepoint.empty()) names.push_back(each.tracepoint);
  }
  return names.empty() ? std::vector<std::byte>() : linux_pmu::tracing_data(kernel, names);
}

void see_all(Bytes records, app::SeenProcesses& processes) {
  record::for_each_record(records, [&](const perf_event_header& header, Bytes record) {
    processes.see(record::record_of(header, record));
  });
}

class LinuxSource final : public pmu::Source {
 public:
  LinuxSource(Kernel& kernel, LinuxOptions options, Prepared prepared)
      : kernel_(kernel),
        options_(std::move(options)),
        prepared_(std::move(prepared)),
        seen_(options_.keep_symbols),
        recorder_(*prepared_.session, prepared_.command ? &*prepared_.command : nullptr, options_.target,
                  {[this](Bytes records) { return sink_(records); },
                   [this](Bytes record) { see_all(record, seen_); }, options_.max_samples}) {}

  void describe(record::RecordingStart& start) const override {
    std::ranges::move(linux_pmu::describe_events(*prepared_.session), std::back_inserter(start.events));
    linux_pmu::add_kernel_build_id(linux_pmu::files_of(kernel_), start.features);
    start.features.hardmeter = linux_pmu::describe_pmu(*prepared_.session, options_.target.command);
    start.ring_bytes = ring_bytes_of(kernel_, options_);
    start.many_rings = true;
  }

  Result<std::optional<pmu::Refusal>> start(pmu::Sink sink) override {
    sink_ = std::move(sink);
    for (pid_t pid : options_.target.pids) cpu_times_.add(pid);
    if (options_.sampling) {
      std::vector<std::byte> before = describe_what_runs(kernel_, options_, *prepared_.session);
      see_all(before, seen_);
      if (Status written = sink_(before); !written) return written.error();
    }
    return recorder_.start();
  }

  void add_to(pmu::Wait& wait) const override { recorder_.add_to(wait); }
  Status round(std::span<const pollfd> seen) override { return recorder_.round(seen); }
  bool over() override { return recorder_.over(); }
  void end(pmu::End how) override { recorder_.end(how); }
  void stop() override {
    recorder_.stop();
    cpu_time_ = cpu_times_.taken(options_.target.pids);
  }

  Status finish() override {
    recorder_.finish();
    seen_.end();
    events_ = deliveries(*prepared_.session, recorder_);
    return options_.sampling ? sink_(encode_counts(*prepared_.session, recorder_)) : Status();
  }

  void add_progress(pmu::Progress& progress) const override {
    const linux_pmu::Tally& tally = recorder_.tally();
    progress.samples += tally.samples;
    progress.bytes = progress.bytes.value_or(0) + tally.bytes;
    progress.lost_records = progress.lost_records.value_or(0) + tally.lost_records;
  }

  std::optional<pmu::CommandEnd> command_end() const override { return recorder_.command_end(); }

  std::optional<record::CpuUse> cpu_use() const override {
    CpuTime time = options_.target.only_a_command() ? recorder_.command_end()->cpu_time : cpu_time_;
    if (time.sum_ns() == 0) return std::nullopt;
    bool kernel_measured =
        std::ranges::any_of(events_, [](const Delivery& each) { return each.attr.exclude_kernel == 0; });
    return record::CpuUse{time, kernel_measured, false};
  }

  void describe(record::Features& features) const override {
    seen_.describe(features);
    std::vector<std::byte> tracing = describe_tracepoints(kernel_, options_.events);
    if (!tracing.empty()) features.raw[record::kFeatureTracingData] = tracing;
    const linux_pmu::Tally& tally = recorder_.tally();
    if (tally.samples != 0) features.sample_time = {tally.first_sample_ns, tally.last_sample_ns};
  }

  std::string describe_run(const pmu::Outcome& outcome) const override {
    return seen_.with_seen(
        describe_recorded(*prepared_.session, events_, recorder_.tally(), outcome, options_.target.command));
  }

  pmu::Report report() const override {
    pmu::Report report;
    report.name = "the kernel's PMU";
    for (const Delivery& each : events_)
      report.delivery.push_back({each.asked.name, describe_delivery(each)});
    report.shortfalls = describe_shortfalls(events_, recorder_.tally());
    return report;
  }

  pmu::Counts counts() const override {
    pmu::Counts counts;
    for (const Delivery& each : events_) {
      add_count(each, counts);
      for (const std::string& fallback : each.fallbacks)
        counts.notes.push_back(fmt::format("{}: {}", each.asked.name, fallback));
      if (!each.asked.note.empty())
        counts.notes.push_back(fmt::format("{}: {}", each.asked.name, each.asked.note));
    }
    counts.obstacles = describe_shortfalls(events_, recorder_.tally());
    return counts;
  }

 private:
  // If the clock is limited to one mode, uses the kernel's CPU time accounting of the processes.
  void add_count(const Delivery& event, pmu::Counts& counts) const {
    const linux_pmu::Counted& counted = event.counted;
    const std::string& name = event.asked.name;
    if (!event.counts_unwanted_mode()) {
      counts.events.push_back({name, counted.value, counted.time_enabled_ns, counted.time_running_ns});
    } else if (std::optional<record::CpuUse> use = cpu_use()) {
      counts.events.push_back(
          {name, event.attr.exclude_user != 0 ? use->time.kernel_ns : use->time.user_ns, 0, 0});
      counts.notes.push_back(fmt::format(
          "{}: from the kernel's CPU time by mode, because its clock counts both modes together", name));
    } else {
      counts.notes.push_back(fmt::format(
          "{} was not counted: the kernel's clock counts both modes together; omit -u or -k, or sample it",
          name));
    }
  }

  Kernel& kernel_;
  LinuxOptions options_;
  Prepared prepared_;
  pmu::Sink sink_;
  app::SeenProcesses seen_;
  linux_pmu::Recorder recorder_;
  std::vector<Delivery> events_;                              // after finish()
  TakenByProcesses<CpuTime, cpu_time_of, growth> cpu_times_;  // of processes that already ran
  CpuTime cpu_time_;  // of processes that already ran, once all have stopped
};

}  // namespace

Result<std::unique_ptr<pmu::Source>> open_linux_source(const LinuxOptions& options) {
  Kernel& kernel = linux_pmu::this_kernel();
  Result<Prepared> prepared = prepare(kernel, options);
  if (!prepared) return prepared.error();
  return std::unique_ptr<pmu::Source>(std::make_unique<LinuxSource>(kernel, options, *std::move(prepared)));
}

}  // namespace hm::measure
