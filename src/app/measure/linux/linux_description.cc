// SPDX-License-Identifier: MIT
#include "app/measure/linux/linux_description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/json.h"
#include "pmu/linux/description.h"
#include "record/read.h"
#include "record/read_values.h"
#include "record/run_description.h"
#include "record/sample_id.h"

namespace hm::measure {
namespace {

constexpr double kSkewWorthTelling = 0.1;

std::string modes_of(const perf_event_attr& attr) {
  if (attr.exclude_kernel != 0) return "user mode";
  return attr.exclude_user != 0 ? "kernel mode" : "user and kernel mode";
}

// Returns an empty string if precision does not apply: a page fault always belongs to its instruction.
std::string precision_of(const Delivery& delivery) {
  if (delivery.asked.max_precise > 0)
    return fmt::format("precise level {} of {}", static_cast<unsigned>(delivery.attr.precise_ip),
                       delivery.asked.max_precise);
  return delivery.asked.skids ? "not precise: a sample falls behind its cause" : "";
}

std::string batching_of(const Delivery& delivery) {
  if (delivery.asked.max_precise == 0) return "";
  return delivery.batching.possible
             ? "batched where the CPU can"
             : fmt::format("an interrupt for each sample ({})", delivery.batching.reason);
}

// Returns the fraction of the time that the event was counted; nullopt if it was never enabled.
std::optional<double> share_of_time(const linux_pmu::Counted& counted) {
  if (counted.time_enabled_ns == 0) return std::nullopt;
  return static_cast<double>(counted.time_running_ns) / static_cast<double>(counted.time_enabled_ns);
}

bool mixes_modes(const linux_pmu::Event& event, const perf_event_attr& attr) {
  return event::is_clock(event.programming) && (attr.exclude_user != 0 || attr.exclude_kernel != 0);
}

// Returns true if the counter's value is the event's count. Some PMUs sample and count every operation
// instead.
bool counts_events(const linux_pmu::Event& event, const perf_event_attr& attr) {
  return event.period_unit == event::PeriodUnit::kEvents && !event.helper && !mixes_modes(event, attr);
}

// Each sample of the clock costs an interrupt of some microseconds, more in a virtual machine.
constexpr uint64_t kShortIntervalNs = 50'000;
bool slows_program(const Delivery& delivery) {
  if (!event::is_clock(delivery.asked.programming) || delivery.attr.sample_period == 0) return false;
  uint64_t interval_ns = delivery.attr.freq != 0 ? 1'000'000'000 / delivery.attr.sample_freq
                                                 : uint64_t{delivery.attr.sample_period};
  return interval_ns < kShortIntervalNs;
}

// Returns the ratio of actual samples to the number expected from the counter. Only for a single event,
// because samples are not counted per event.
std::optional<double> skew(const std::vector<Delivery>& events, const linux_pmu::Tally& tally) {
  if (events.size() != 1) return std::nullopt;
  const Delivery& delivery = events.front();
  if (!counts_events(delivery.asked, delivery.attr) || delivery.attr.freq != 0 ||
      delivery.attr.sample_period == 0 || delivery.counted.value == 0)
    return std::nullopt;
  double expected =
      static_cast<double>(delivery.counted.value) / static_cast<double>(delivery.attr.sample_period);
  constexpr double kEnoughSamples = 100;
  if (expected < kEnoughSamples) return std::nullopt;
  return static_cast<double>(tally.samples) / expected;
}

}  // namespace

bool Delivery::counts_unwanted_mode() const { return mixes_modes(asked, attr); }

std::vector<Delivery> deliveries(const linux_pmu::Session& session, const linux_pmu::Recorder& recorder) {
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
    for (const auto& [pid, counted] : recorder.counted()[i]) {
      delivery.counted.value += counted.value;
      delivery.counted.time_enabled_ns += counted.time_enabled_ns;
      delivery.counted.time_running_ns += counted.time_running_ns;
    }
    all.push_back(std::move(delivery));
  }
  return all;
}

std::vector<std::byte> encode_counts(const linux_pmu::Session& session, const linux_pmu::Recorder& recorder) {
  ByteWriter out;
  for (size_t i = 0; i < session.events().size(); ++i) {
    const linux_pmu::OpenEvent& open = session.events()[i];
    if (!counts_events(open.event, open.attr)) continue;
    std::map<pid_t, uint64_t> id_of_thread;
    for (const linux_pmu::Counter& each : open.counters) id_of_thread.try_emplace(each.place.pid, each.id);
    for (const auto& [thread, counted] : recorder.counted()[i]) {
      auto tid = static_cast<uint32_t>(thread);
      auto known = id_of_thread.find(thread);
      if (known == id_of_thread.end()) continue;  // its counter has been closed
      uint64_t id = known->second;
      record::Read read{tid, tid, {open.attr.read_format, {counted.value, id, 0}}};
      read.values.time_enabled_ns = counted.time_enabled_ns;
      read.values.time_running_ns = counted.time_running_ns;
      ByteWriter payload;
      record::encode_read(read, payload);
      record::encode_sample_id(open.attr,
                               {.type = open.attr.sample_type & record::kSampleIdFields,
                                .pid = tid,
                                .tid = tid,
                                .time_ns = recorder.tally().last_sample_ns,
                                .id = id},
                               payload);
      (void)record::append_record(out, PERF_RECORD_READ, 0, payload.bytes());  // a small record always fits
    }
  }
  return std::move(out).take();
}

std::string describe_delivery(const Delivery& delivery) {
  std::vector<std::string> parts{delivery.asked.native, modes_of(delivery.attr), precision_of(delivery),
                                 batching_of(delivery)};
  parts.insert(parts.end(), delivery.fallbacks.begin(), delivery.fallbacks.end());
  parts.push_back(delivery.asked.note);
  std::erase(parts, "");
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<std::string> describe_shortfalls(const std::vector<Delivery>& events,
                                             const linux_pmu::Tally& tally) {
  std::vector<std::string> all;
  if (tally.lost_records != 0)
    all.push_back(fmt::format("{} records were lost because a ring was full; use a longer period (-c)",
                              tally.lost_records));
  if (tally.lost_samples != 0)
    all.push_back(fmt::format("{} samples were lost in the hardware's buffer", tally.lost_samples));
  if (tally.throttles != 0)
    all.push_back(fmt::format(
        "the kernel throttled an event {} times; a longer period (-c) or kernel.perf_event_max_sample_rate helps",
        tally.throttles));
  if (tally.damaged_rings != 0) all.push_back(fmt::format("{} rings were corrupt", tally.damaged_rings));
  for (const Delivery& each : events) {
    if (slows_program(each))
      all.push_back(fmt::format(
          "so short a period of {} slows a program, in virtual machines many times, and changes its times: -c 100us costs less, and `hardmeter overhead` measures the cost",
          each.asked.name));
    std::optional<double> share = share_of_time(each.counted);
    if (share && *share < record::kThroughout)
      all.push_back(
          fmt::format("{} shared its counter and ran {:.1f} % of the time", each.asked.name, *share * 100));
  }
  if (std::optional<double> ratio = skew(events, tally);
      ratio && (*ratio < 1 - kSkewWorthTelling || *ratio > 1 + kSkewWorthTelling))
    all.push_back(fmt::format("{} samples were taken, but the counter implies {:.0f}: shares are skewed",
                              tally.samples, static_cast<double>(tally.samples) / *ratio));
  return all;
}

std::string describe_recorded(const linux_pmu::Session& session, const std::vector<Delivery>& events,
                              const linux_pmu::Tally& tally, const pmu::Outcome& outcome,
                              const std::vector<std::string>& command) {
  nlohmann::json json = parse_json(linux_pmu::describe_pmu(session, command));
  json["elapsed_ns"] = outcome.elapsed_ns;
  json[record::kEndedNs] = record::now_ns();
  json["interrupted"] = outcome.interrupted;
  json["delivery"] = nlohmann::json::array();
  for (const Delivery& each : events) {
    nlohmann::json event{{"event", each.asked.name},
                         {"how", describe_delivery(each)},
                         {"precise_ip", static_cast<unsigned>(each.attr.precise_ip)},
                         {"batched", each.batching.possible}};
    if (counts_events(each.asked, each.attr)) event["counted"] = each.counted.value;
    if (std::optional<double> share = share_of_time(each.counted)) event["share_of_time"] = *share;
    json["delivery"].push_back(std::move(event));
  }
  json["shortfalls"] = describe_shortfalls(events, tally);
  return json_line(json);
}

}  // namespace hm::measure
