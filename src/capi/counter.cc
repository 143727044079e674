// SPDX-License-Identifier: MIT
#include "capi/counter.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "dump/dump.h"
#include "pmu/linux/resolve.h"
#include "pmu/linux/ring_bytes.h"
#include "record/lost.h"
#include "record/sample.h"

namespace hm::capi {
namespace {

constexpr size_t kUsualSamples = 2000;

Result<std::vector<pid_t>> take_target(hardmeter_target target, int id, linux_pmu::Kernel& kernel,
                                       linux_pmu::Target& of) {
  switch (target) {
    case HARDMETER_SELF:
      of.tids = {::gettid()};
      return of.tids;
    case HARDMETER_THREAD:
      of.tids = {id};
      return of.tids;
    case HARDMETER_PROCESS: {
      of.pids = {id};
      std::vector<pid_t> threads = id > 0 ? linux_pmu::threads_of(kernel, id) : std::vector<pid_t>();
      if (threads.empty()) return make_error(ErrorCode::kNotFound, "process {} does not exist", id);
      return threads;
    }
    case HARDMETER_CPU: {
      std::vector<int> online = linux_pmu::online_cpus(kernel);
      if (std::ranges::find(online, id) == online.end())
        return make_error(ErrorCode::kNotFound, "CPU {} does not exist or is offline", id);
      of.cpus = {id};
      return std::vector<pid_t>();
    }
  }
  return make_error(ErrorCode::kInvalidArgument, "target {} does not exist", static_cast<int>(target));
}

hardmeter_sample as_c(const record::Sample& sample) {
  hardmeter_sample result{};
  result.time_ns = sample.time_ns;
  result.pid = sample.pid;
  result.tid = sample.tid;
  dump::Sample values = dump::sample_of(sample);
  constexpr uint32_t kAll = (uint32_t{1} << dump::kColumns.size()) - 1;
  result.ip = values.values[dump::kIpColumn];
  result.has_registers = values.known == kAll ? 1 : 0;
  result.rflags = values.values[0];
  std::copy_n(values.values.begin() + dump::kIpColumn + 1, std::size(result.registers), result.registers);
  return result;
}

}  // namespace

Result<std::unique_ptr<Counter>> Counter::open(const event::EventTemplate& event, hardmeter_target target,
                                               int id, const hardmeter_options& options) {
  if (options.user == 0 && options.kernel == 0)
    return make_error(ErrorCode::kInvalidArgument,
                      "neither user nor kernel mode is selected: set one of them");
  linux_pmu::Kernel& kernel = linux_pmu::this_kernel();
  linux_pmu::Intent intent;
  Result<std::vector<pid_t>> threads = take_target(target, id, kernel, intent.target);
  if (!threads) return threads.error();
  event::Selection selection;
  selection.name = event.name;
  selection.id = event.id;
  bool samples = options.interval != 0;
  auto events = linux_pmu::resolve(kernel, selection, samples ? event::Use::kSample : event::Use::kCount);
  if (!events) return events.error();
  intent.events = *std::move(events);
  if (samples) {
    intent.sampling.emplace();
    intent.sampling->period = options.interval;
    intent.sampling->more_fields = PERF_SAMPLE_REGS_INTR;
  }
  intent.modes = {options.user != 0, options.kernel != 0, true};
  intent.inherit = target == HARDMETER_PROCESS;
  size_t wanted = options.buffer == 0 ? kUsualSamples : options.buffer;
  auto session =
      linux_pmu::Session::open(kernel, intent, *threads, linux_pmu::ring_bytes_for(kernel, wanted));
  if (!session) return session.error();
  return std::unique_ptr<Counter>(new Counter(*std::move(session)));
}

hardmeter_count Counter::read() const {
  hardmeter_count sum{};
  std::vector<std::map<pid_t, linux_pmu::Counted>> all = session_.read();
  for (size_t i = 0; i < all.size(); ++i) {
    if (session_.events()[i].event.helper) continue;
    for (const auto& [thread, each] : all[i]) {
      sum.value += each.value;
      sum.time_enabled_ns += each.time_enabled_ns;
      sum.time_running_ns += each.time_running_ns;
    }
  }
  return sum;
}

std::optional<hardmeter_sample> Counter::next_sample() {
  if (samples_.empty()) drain();
  if (samples_.empty()) return std::nullopt;
  hardmeter_sample first = samples_.front();
  samples_.pop_front();
  return first;
}

void Counter::drain() {
  for (const auto& ring : session_.rings()) ring->reader().drain([this](Bytes record) { take(record); });
  std::ranges::stable_sort(samples_, {}, &hardmeter_sample::time_ns);  // each CPU has its own ring
}

void Counter::take(Bytes whole) {
  perf_event_header header;
  std::memcpy(&header, whole.data(), sizeof header);
  record::Record record{header.type, header.misc, false, whole.subspan(sizeof header), 0};
  if (header.type == PERF_RECORD_LOST || header.type == PERF_RECORD_LOST_SAMPLES) {
    if (auto lost = record::decode_lost(record); lost.ok()) lost_ += lost->count;
  }
  if (header.type != PERF_RECORD_SAMPLE || !kept_.keeps(whole)) return;
  std::optional<size_t> event = index_.of_record(record);
  if (!event) return;
  auto sample = record::decode_sample(events_[*event].attr, record.payload, false);
  if (sample.ok()) samples_.push_back(as_c(*sample));
}

}  // namespace hm::capi
