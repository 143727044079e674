// SPDX-License-Identifier: MIT
#include "app/linux_session.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "app/linux_description.h"
#include "app/mapped_files.h"
#include "pmu/linux/description.h"
#include "pmu/linux/host_features.h"
#include "pmu/linux/resolve.h"
#include "pmu/linux/ring_bytes.h"
#include "pmu/linux/running_processes.h"
#include "pmu/linux/tracing_data.h"
#include "record/writer.h"

namespace hm::app {
namespace {

using linux_pmu::Kernel;

size_t ring_bytes_of(Kernel& kernel, const LinuxOptions& options) {
  return options.ring_bytes != 0 ? options.ring_bytes : linux_pmu::usual_ring_bytes(kernel);
}

// Everything that is open and stands ready to run.
struct Prepared {
  std::optional<linux_pmu::Command> command;
  std::optional<linux_pmu::Session> session;
};

Result<std::vector<pid_t>> threads_of_target(Kernel& kernel, const linux_pmu::Target& target) {
  std::vector<pid_t> threads = target.tids;
  for (pid_t pid : target.pids) {
    std::vector<pid_t> of_pid = linux_pmu::threads_of(kernel, pid);
    if (of_pid.empty())
      return make_error(ErrorCode::kNotFound, "cannot measure process {}: there is no such process", pid);
    threads.insert(threads.end(), of_pid.begin(), of_pid.end());
  }
  std::ranges::sort(threads);
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());  // none counts twice
  return threads;
}

Result<Prepared> prepare(Kernel& kernel, const LinuxOptions& options,
                         std::optional<linux_pmu::Sampling> sampling) {
  Result<std::vector<linux_pmu::Event>> events =
      linux_pmu::resolve_all(kernel, options.events, sampling ? event::Use::kSample : event::Use::kCount);
  if (!events) return events.error();
  Result<std::vector<pid_t>> threads = threads_of_target(kernel, options.target);
  if (!threads) return threads.error();
  Prepared prepared;
  if (!options.target.command.empty()) {
    Result<linux_pmu::Command> command =
        linux_pmu::Command::prepare(options.target.command, options.target.silent);
    if (!command) return command.error();
    prepared.command = *std::move(command);
    if (!options.target.by_cpu()) threads->push_back(prepared.command->pid());
  }
  linux_pmu::Intent intent{options.target, *std::move(events), sampling, options.modes, options.inherit};
  Result<linux_pmu::Session> session =
      linux_pmu::Session::open(kernel, intent, *threads, ring_bytes_of(kernel, options));
  if (!session) return session.error();
  prepared.session = *std::move(session);
  return prepared;
}

std::vector<Delivery> deliveries(const linux_pmu::Session& session, const linux_pmu::RunResult& run) {
  std::vector<Delivery> all;
  for (size_t i = 0; i < session.events().size(); ++i) {
    const linux_pmu::OpenEvent& open = session.events()[i];
    if (open.event.helper) continue;
    Delivery delivery{open.event, open.attr, linux_pmu::batching_of(open.attr), {}, {}};
    for (linux_pmu::Fallback each : open.fallbacks) {
      std::string text(linux_pmu::describe(each));
      if (std::ranges::find(delivery.fallbacks, text) == delivery.fallbacks.end())
        delivery.fallbacks.push_back(std::move(text));
    }
    for (const auto& [pid, counted] : run.counted[i]) {
      delivery.counted.value += counted.value;
      delivery.counted.time_enabled_ns += counted.time_enabled_ns;
      delivery.counted.time_running_ns += counted.time_running_ns;
    }
    all.push_back(std::move(delivery));
  }
  return all;
}

// Of the kernel and the processes that are there already.
std::vector<std::byte> describe_what_runs(Kernel& kernel, const LinuxOptions& options,
                                          const linux_pmu::Session& session) {
  const perf_event_attr& attr = session.events().front().attr;
  bool data_too = attr.mmap_data != 0;
  ByteWriter out;
  linux_pmu::describe_kernel(kernel, attr, out);
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

void see_all(Bytes records, MappedFiles& files) {
  while (records.size() >= sizeof(perf_event_header)) {
    perf_event_header header;
    std::memcpy(&header, records.data(), sizeof header);
    if (header.size < sizeof header || header.size > records.size()) return;
    files.see(
        {header.type, header.misc, false, records.subspan(sizeof header, header.size - sizeof header), 0});
    records = records.subspan(header.size);
  }
}

}  // namespace

Result<LinuxResult> count_with_linux_pmu(const LinuxOptions& options) {
  Result<Prepared> prepared = prepare(linux_pmu::this_kernel(), options, std::nullopt);
  if (!prepared) return prepared.error();
  linux_pmu::RunHooks hooks{{}, {}, options.progress, options.interrupts};
  auto run = linux_pmu::run(*prepared->session, prepared->command ? &*prepared->command : nullptr,
                            options.target, hooks);
  if (!run) return run.error();
  LinuxResult result{*std::move(run), {}, 0};
  if (!result.run.not_started.empty()) return result;
  result.events = deliveries(*prepared->session, result.run);
  return result;
}

Result<LinuxResult> record_with_linux_pmu(const LinuxOptions& options, record::RecordingSink& sink,
                                          const std::vector<std::string>& command_line) {
  Kernel& kernel = linux_pmu::this_kernel();
  Result<Prepared> prepared = prepare(kernel, options, options.sampling);
  if (!prepared) return prepared.error();
  linux_pmu::Session& session = *prepared->session;
  record::Features features = linux_pmu::host_features(command_line);
  describe_running_kernel(features);
  features.hardmeter = linux_pmu::describe_pmu(session, options.target.command);
  if (Status begun =
          sink.begin({linux_pmu::describe_events(session), features, ring_bytes_of(kernel, options), true});
      !begun)
    return begun.error();
  MappedFiles files;
  std::vector<std::byte> before = describe_what_runs(kernel, options, session);
  see_all(before, files);
  if (Status written = sink.append(before); !written) return written.error();
  linux_pmu::RunHooks hooks{[&](Bytes records) { return sink.append(records); },
                            [&](Bytes record) { see_all(record, files); }, options.progress,
                            options.interrupts, options.most_samples};
  auto run =
      linux_pmu::run(session, prepared->command ? &*prepared->command : nullptr, options.target, hooks);

  files.describe(features);
  std::vector<std::byte> tracing = describe_tracepoints(kernel, options.events);
  if (!tracing.empty()) features.raw[record::kFeatureTracingData] = tracing;
  if (!run || !run->not_started.empty()) {
    (void)sink.finish(features);  // makes whole what could be written; the first error is the one to tell
    if (!run) return run.error();
    return LinuxResult{*std::move(run), {}, 0};
  }
  LinuxResult result{*std::move(run), {}, 0};
  result.events = deliveries(session, result.run);
  if (result.run.tally.samples != 0)
    features.sample_time = {result.run.tally.first_sample_ns, result.run.tally.last_sample_ns};
  features.hardmeter = describe_run(session, result, options.target.command);
  if (Status counts = sink.append(encode_counts(session, result.run)); !counts) return counts.error();
  if (Status finished = sink.finish(features); !finished) return finished.error();
  result.recorded_bytes = sink.bytes();
  return result;
}

}  // namespace hm::app
