// SPDX-License-Identifier: MIT
#include "capi/profiling.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/json.h"
#include "base/text_file.h"
#include "dump/dump_sink.h"
#include "event/event_template.h"
#include "pmu/linux/description.h"
#include "pmu/linux/host_features.h"
#include "pmu/linux/resolve.h"
#include "pmu/linux/ring_bytes.h"
#include "pmu/linux/running_processes.h"
#include "record/perf_data_sink.h"
#include "record/run_description.h"

namespace hm::capi {
namespace {

std::string own_command() {
  std::string words = read_text("/proc/self/cmdline").value_or("");
  while (words.ends_with('\0')) words.pop_back();
  std::ranges::replace(words, '\0', ' ');
  return words;
}

// Appends a remedy to the kernel's error.
Error with_remedy(const Error& error, const Resource& resource) {
  if (error.code != ErrorCode::kUnsupported) return error;
  return make_error(error.code,
                    "{}; start the program with `hardmeter record --pmu=soft`, or set {}.event to clock",
                    error.message, resource.name);
}

std::unique_ptr<record::RecordingSink> sink_for(const Resource& resource, const std::string& path) {
  if (resource.format == Format::kPerf) return std::make_unique<record::PerfDataSink>(path);
  return std::make_unique<dump::DumpSink>(
      dump::DumpOptions{.path = path, .command = own_command(), .max_samples = resource.count});
}

}  // namespace

Profiling::Profiling(linux_pmu::Session session, const Resource& resource, const std::string& path)
    : session_(std::move(session)),
      kept_(session_),
      sink_(sink_for(resource, path)),
      interval_(resource.interval),
      max_samples_(resource.format == Format::kPerf ? resource.count : 0) {}

Result<std::unique_ptr<Profiling>> Profiling::start(const Resource& resource, const std::string& path) {
  linux_pmu::Kernel& kernel = linux_pmu::this_kernel();
  auto events = linux_pmu::resolve(kernel, resource.event, event::Use::kSample);
  if (!events) return with_remedy(events.error(), resource);
  linux_pmu::Sampling sampling;
  sampling.period = resource.interval;
  sampling.more_fields = PERF_SAMPLE_REGS_INTR;
  linux_pmu::Intent intent;
  intent.target.tids = {::gettid()};
  intent.events = *std::move(events);
  intent.sampling = sampling;
  intent.modes = {resource.user, resource.kernel, true};
  intent.inherit = false;
  auto session = linux_pmu::Session::open(kernel, intent, intent.target.tids,
                                          linux_pmu::ring_bytes_for(kernel, resource.count));
  if (!session) return with_remedy(session.error(), resource);
  std::unique_ptr<Profiling> profiling(new Profiling(*std::move(session), resource, path));
  Status begun = profiling->begin(resource);
  if (begun) return profiling;
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode))
    ::unlink(path.c_str());  // removes the partial file
  return begun.error();
}

Status Profiling::begin(const Resource& resource) {
  linux_pmu::Kernel& kernel = session_.kernel();
  if (resource.format == Format::kPerf) features_ = linux_pmu::host_features({own_command()});
  features_.hardmeter = linux_pmu::describe_pmu(session_, {});
  linux_pmu::add_kernel_build_id(linux_pmu::files_of(kernel), features_);
  uint64_t ring_bytes = linux_pmu::ring_bytes_for(kernel, resource.count);
  if (Status begun = sink_->begin({linux_pmu::describe_events(session_), features_, ring_bytes}); !begun)
    return begun;
  ByteWriter own;
  const perf_event_attr& attr = session_.events().front().attr;
  if (attr.exclude_kernel == 0) linux_pmu::describe_kernel(linux_pmu::files_of(kernel), attr, own);
  linux_pmu::describe_process(kernel, ::getpid(), attr, attr.mmap_data != 0, own);
  if (Status written = sink_->append(own.bytes()); !written) return written;
  began_ = std::chrono::steady_clock::now();
  session_.enable();
  return {};
}

Status Profiling::drain() {
  Status status;
  const auto look = [&](Bytes record) {
    perf_event_header header;
    std::memcpy(&header, record.data(), sizeof header);
    if (header.type != PERF_RECORD_SAMPLE) return true;
    if (!kept_.keeps(record)) return false;
    if (max_samples_ != 0 && samples_ >= max_samples_) {
      is_limited_ = true;
      return false;
    }
    ++samples_;
    return true;
  };
  for (const auto& ring : session_.rings()) {
    ring->reader().drain_runs(look, [&](Bytes run) {
      if (status.ok()) status = sink_->append(run);
    });
  }
  return status;
}

// Returns the number of missing samples. The kernel only reports a full ring when it has room again, and at
// the end nothing would write that record. The expected number is known only for events that are counted as
// they are sampled. It is unknown for clocks, which also count time in excluded modes, and for hardware that
// samples more than the event.
std::optional<uint64_t> Profiling::samples_missing() const {
  const linux_pmu::Event& event = session_.events().front().event;
  bool is_clock = event.programming.type == PERF_TYPE_SOFTWARE;
  if (is_clock || !event.keep.keeps_all() || event.period_unit != event::PeriodUnit::kEvents)
    return std::nullopt;
  uint64_t expected = 0;
  for (const auto& counted : session_.read()) {
    for (const auto& [thread, each] : counted) expected += each.value / interval_;
  }
  return expected > samples_ ? expected - samples_ : 0;
}

Status Profiling::stop() {
  session_.disable();
  bool was_full =
      std::ranges::any_of(session_.rings(), [](const auto& ring) { return ring->reader().is_nearly_full(); });
  Status drained = drain();
  auto* dump = dynamic_cast<dump::DumpSink*>(sink_.get());
  if (dump != nullptr && was_full) dump->missing(samples_missing());
  nlohmann::json run = record::run_description(features_);
  run["elapsed_ns"] =
      static_cast<uint64_t>(std::chrono::nanoseconds(std::chrono::steady_clock::now() - began_).count());
  if (is_limited_)
    run["shortfalls"].push_back(fmt::format("stopped at {} samples; later ones were not kept", samples_));
  features_.hardmeter = json_line(run);
  Status finished = sink_->finish(features_);
  return drained ? finished : drained;
}

}  // namespace hm::capi
