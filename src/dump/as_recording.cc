// SPDX-License-Identifier: MIT
#include <linux/perf_event.h>
#include <sys/mman.h>

#include <algorithm>
#include <map>
#include <span>

#include "base/json.h"
#include "dump/reader.h"
#include "record/comm.h"
#include "record/event_records.h"
#include "record/extension.h"
#include "record/features.h"
#include "record/file_header.h"
#include "record/lost.h"
#include "record/mmap.h"
#include "record/read.h"
#include "record/run_description.h"
#include "record/sample.h"
#include "record/task.h"

namespace hm::dump {
namespace {

constexpr uint64_t kEventId = 1;
constexpr uint64_t kHeapSiteId = 2;
constexpr uint64_t kReadFormat =
    PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;

// Summary of a dump's lines, as far as the recording's event descriptions depend on it.
struct Held {
  uint32_t columns = 0;  // registers that at least one sample has
  uint64_t fields = 0;   // PERF_SAMPLE_* bits of the details that at least one sample has
  uint64_t stack_bytes = 0;
  bool heap_sites = false;
  bool counts = false;

  void add(const Sample& sample);
  void add(const HeapSite& site) {
    heap_sites = true;
    stack_bytes = std::max<uint64_t>(stack_bytes, site.stack.size());
  }
  void add(const Counted&) { counts = true; }
  template <typename Other>
  void add(const Other&) {}

 private:
  uint64_t last_time_ns_ = 0;
  bool in_order_ = true;
};

// Lines between the samples have no times. They keep their positions in the recording only if sorting by time
// does not change the order of the samples.
void Held::add(const Sample& sample) {
  columns |= sample.known;
  const Details& details = sample.details;
  const auto set = [&](uint64_t field, bool is_held) { fields |= is_held ? field : 0; };
  in_order_ = in_order_ && details.time_ns.value_or(last_time_ns_) >= last_time_ns_;
  last_time_ns_ = details.time_ns.value_or(last_time_ns_);
  set(PERF_SAMPLE_TIME, details.time_ns.has_value());
  if (!in_order_) fields &= ~uint64_t{PERF_SAMPLE_TIME};
  set(PERF_SAMPLE_PERIOD, details.period.has_value());
  set(PERF_SAMPLE_CPU, details.cpu.has_value());
  // A sample with details and without an address had no memory access that the PMU attributes the event to.
  set(PERF_SAMPLE_ADDR, details != Details());
  set(PERF_SAMPLE_PHYS_ADDR, details.physical_address.has_value());
  set(PERF_SAMPLE_DATA_SRC, details.data_source.has_value());
  set(PERF_SAMPLE_WEIGHT, details.latency_cycles.has_value());
  set(PERF_SAMPLE_RAW, details.run_cycles.has_value() || details.access_kind.has_value());
}

Held held_by(const Dump& dump) {
  Held held;
  for (const auto& line : dump.lines) std::visit([&](const auto& each) { held.add(each); }, line);
  return held;
}

// Returns true for the kernel's clock events; the profile attributes their samples by the event type
// (profile/clock_attribution.h).
bool is_clock(const Header& header) {
  return header.pmu == "kernel" &&
         (header.event == "clock" || header.event == "cpu-clock" || header.event == "task-clock");
}

// The kernel uses the upper half of the address space.
uint16_t mode_of(uint64_t ip) { return ip >> 63 != 0 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER; }

class Recording {
 public:
  explicit Recording(const Dump& dump) : dump_(dump), held_(held_by(dump)) {
    for (unsigned number = 0; number < 64; ++number) {  // the kernel's register order, lowest first
      for (size_t column = 0; column < kColumns.size(); ++column) {
        if (kColumns[column].perf_register == number) order_.push_back(column);
      }
    }
  }

  std::vector<std::byte> bytes() {
    record::encode_file_header({.is_pipe = true}, out_);
    add_event(event_, describe_samples());
    if (held_.heap_sites) add_event(heap_site_event_, describe_heap_sites());
    add_features();
    for (const auto& line : dump_.lines) std::visit([&](const auto& each) { add(each); }, line);
    add_lost();
    return std::move(out_).take();
  }

 private:
  void add_lost() {
    if (dump_.header.dropped.value_or(0) == 0) return;
    ByteWriter payload;
    record::encode_lost_samples(*dump_.header.dropped, payload);
    append(PERF_RECORD_LOST_SAMPLES, payload);
  }

  [[nodiscard]] record::EventDescription describe_samples() const {
    record::EventDescription event{dump_.header.event.empty() ? "dump" : dump_.header.event, {}, {kEventId}};
    perf_event_attr& attr = event.attr;
    attr.type = is_clock(dump_.header) ? PERF_TYPE_SOFTWARE : PERF_TYPE_RAW;
    if (attr.type == PERF_TYPE_SOFTWARE) attr.config = PERF_COUNT_SW_CPU_CLOCK;
    attr.size = sizeof attr;
    attr.sample_type =
        PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_REGS_INTR | held_.fields;
    attr.sample_period = dump_.header.events_per_sample.value_or(Period()).mean;
    if (attr.sample_period != 0) attr.sample_type |= PERF_SAMPLE_PERIOD;
    if (held_.counts) attr.read_format = kReadFormat;
    if (dump_.header.precise.value_or(false)) attr.precise_ip = 3;
    attr.exclude_kernel = dump_.header.sample_type == "user" ? 1 : 0;
    attr.exclude_user = dump_.header.sample_type == "kernel" ? 1 : 0;
    attr.sample_regs_intr = register_mask();
    return event;
  }

  [[nodiscard]] record::EventDescription describe_heap_sites() const {
    record::EventDescription event{record::kHeapSiteEvent, {}, {kHeapSiteId}};
    perf_event_attr& attr = event.attr;
    attr.type = PERF_TYPE_RAW;
    attr.config = record::kHeapSiteConfig;
    attr.size = sizeof attr;
    attr.sample_period = 1;
    attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR |
                       PERF_SAMPLE_RAW | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    // With times, the heap site keeps its position among the samples.
    attr.sample_type |= held_.fields & PERF_SAMPLE_TIME;
    if (held_.counts) attr.read_format = kReadFormat;
    attr.sample_regs_user = register_mask();
    attr.sample_stack_user = static_cast<uint32_t>(held_.stack_bytes);
    return event;
  }

  [[nodiscard]] uint64_t register_mask() const {
    uint64_t mask = 0;
    for (size_t column : order_) {
      if (is_held(column)) mask |= uint64_t{1} << kColumns[column].perf_register;
    }
    return mask;
  }
  [[nodiscard]] bool is_held(size_t column) const { return (held_.columns >> column & 1) != 0; }

  void add_event(record::EventDescription& event, record::EventDescription description) {
    event = std::move(description);
    (void)record::encode_header_attr(event, out_);  // cannot fail: a single id always fits
    ByteWriter payload;
    record::encode_event_update({.kind = record::kUpdateName, .id = event.ids.front(), .text = event.name},
                                payload);
    append(record::kEventUpdate, payload);
  }

  void add_features() {
    record::Features features;
    if (!dump_.header.command.empty()) features.cmdline = {dump_.header.command};
    features.caches = dump_.header.caches;
    features.build_ids = dump_.build_ids;
    for (record::BuildId& id : features.build_ids)
      id.misc = id.path.starts_with('[') ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
    features.hardmeter = dump_.run;
    nlohmann::json json = record::run_description(features);
    if (std::string cpu = record::text_in(json, kCpuId); !cpu.empty()) features.cpu_id = std::move(cpu);
    if (!dump_.header.pmu.empty()) json["pmu"] = dump_.header.pmu;
    if (!dump_.header.counter.empty()) json["counter"] = dump_.header.counter;
    features.hardmeter = json_line(json);
    record::encode_feature_records(features, {}, out_);
  }

  void add(const Mapping& mapping) {
    record::Mmap mmap{.pid = mapping.pid,
                      .tid = mapping.pid,
                      .address = mapping.start,
                      .length = mapping.end - mapping.start,
                      .file_offset = mapping.file_offset,
                      .path = mapping.path};
    if (mapping.data) {
      mmap.executable = false;
      mmap.protection = mapping.data->protection;
      mmap.flags = mapping.data->shared ? MAP_SHARED : MAP_PRIVATE;
      mmap.identity = mapping.data->identity;
    }
    ByteWriter payload;
    record::encode_mmap(mmap, payload);
    uint16_t mode = mapping.pid == kKernelPid ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
    append(record::record_type_of(mmap), payload, mode | record::misc_bits_of(mmap));
  }

  void add(const Fork& fork) {
    ByteWriter payload;
    record::encode_task(
        {.pid = fork.pid, .parent_pid = fork.parent, .tid = fork.pid, .parent_tid = fork.parent}, payload);
    append(PERF_RECORD_FORK, payload);
  }

  void add(const Exec& exec) {
    names_[exec.pid] = exec.comm;
    add_name({exec.pid, exec.pid}, exec.comm, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_COMM_EXEC);
  }

  void add(const Name& name) {
    std::string& known = names_[name.thread.tid];
    if (known == name.comm) return;
    known = name.comm;
    add_name(name.thread, name.comm, PERF_RECORD_MISC_USER);
  }

  void add_name(Thread thread, std::string_view comm, uint16_t misc) {
    ByteWriter payload;
    record::encode_comm({.pid = thread.pid, .tid = thread.tid, .name = comm}, payload);
    append(PERF_RECORD_COMM, payload, misc);
  }

  void add(const Counted& counted) {
    record::Read read{counted.thread.pid, counted.thread.tid,
                      record::ReadValues(kReadFormat, record::ReadValue{counted.value, kEventId, 0})};
    read.values.time_enabled_ns = counted.time_enabled_ns;
    read.values.time_running_ns = counted.time_running_ns;
    ByteWriter payload;
    record::encode_read(read, payload);
    append(PERF_RECORD_READ, payload);
  }

  void add(const HeapSite& site) {
    ByteWriter values;
    record::Sample encoded;
    encoded.id = kHeapSiteId;
    take_place(site.at, encoded);
    encoded.time_ns = time_ns_;
    encoded.addr = site.return_address;
    encoded.user_regs = registers_of(site.at, values);
    encoded.user_stack = {site.stack, site.stack.size()};
    record::HeapSiteExtension extension{record::kHeapSiteMagic, site.number, site.any_caller ? 1U : 0U};
    encoded.raw = std::as_bytes(std::span(&extension, 1));
    append_sample(heap_site_event_, encoded);
  }

  void add(const Sample& sample) {
    ByteWriter values;
    record::Sample encoded;
    encoded.id = kEventId;
    take_place(sample, encoded);
    const Details& details = sample.details;
    encoded.time_ns = time_ns_ = details.time_ns.value_or(time_ns_);
    encoded.period = details.period.value_or(event_.attr.sample_period);
    encoded.cpu = static_cast<uint32_t>(details.cpu.value_or(0));
    encoded.addr = details.address.value_or(0);
    encoded.phys_addr = details.physical_address.value_or(0);
    encoded.data_source = details.data_source.value_or(0);
    encoded.weight = details.latency_cycles.value_or(0);
    encoded.intr_regs = registers_of(sample, values);
    std::vector<std::byte> extension = extension_of(details);
    encoded.raw = extension;
    append_sample(event_, encoded);
  }

  static void take_place(const Sample& sample, record::Sample& encoded) {
    encoded.ip = sample.values[kIpColumn];
    encoded.pid = sample.thread.pid;
    encoded.tid = sample.thread.tid;
  }

  // Stores the values in `values`. Returns no registers if one of them is unknown.
  [[nodiscard]] record::Registers registers_of(const Sample& sample, ByteWriter& values) const {
    record::Registers registers;
    registers.mask = register_mask();
    if ((held_.columns & ~sample.known) != 0) return registers;
    for (size_t column : order_) {
      if (is_held(column)) values.u64(sample.values[column]);
    }
    registers.abi = dump_.is_32_bit ? PERF_SAMPLE_REGS_ABI_32 : PERF_SAMPLE_REGS_ABI_64;
    registers.values = record::U64View(values.bytes(), false);
    return registers;
  }

  void append_sample(const record::EventDescription& event, const record::Sample& sample) {
    ByteWriter payload;
    record::encode_sample(event.attr, sample, payload);
    append(PERF_RECORD_SAMPLE, payload, mode_of(sample.ip));
  }

  // Records that exceed the maximum record size are left out: a path of 64 KiB.
  void append(uint32_t type, const ByteWriter& payload, uint16_t misc = PERF_RECORD_MISC_USER) {
    (void)record::append_record(out_, type, misc, payload.bytes());
  }

  const Dump& dump_;
  Held held_;
  std::vector<size_t> order_;  // column indices of the registers, in perf's order
  record::EventDescription event_, heap_site_event_;
  uint64_t time_ns_ = 0;                   // time of the last sample
  std::map<uint32_t, std::string> names_;  // by thread
  ByteWriter out_;
};

}  // namespace

std::vector<std::byte> as_recording(const Dump& dump) { return Recording(dump).bytes(); }

}  // namespace hm::dump
