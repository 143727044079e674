// SPDX-License-Identifier: MIT
#include <linux/perf_event.h>

#include <map>

#include "base/json.h"
#include "dump/reader.h"
#include "record/comm.h"
#include "record/event_records.h"
#include "record/extension.h"
#include "record/features.h"
#include "record/file_header.h"
#include "record/lost.h"
#include "record/mmap.h"
#include "record/sample.h"
#include "record/task.h"

namespace hm::dump {
namespace {

constexpr uint64_t kEventId = 1;

template <typename... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <typename... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;  // clang 14 wants to be told

// The registers that some sample has, as columns.
uint32_t columns_in(const Dump& dump) {
  uint32_t columns = 0;
  for (const auto& line : dump.lines) {
    if (const auto* sample = std::get_if<Sample>(&line)) columns |= sample->known;
  }
  return columns;
}

// The kernel's clock, whose samples are attributed by its type (profile/clock_attribution.h).
bool is_clock(const Header& header) {
  return header.pmu == "kernel" &&
         (header.event == "clock" || header.event == "cpu-clock" || header.event == "task-clock");
}

class Recording {
 public:
  explicit Recording(const Dump& dump) : dump_(dump), columns_(columns_in(dump)) {
    for (unsigned number = 0; number < 64; ++number) {  // the kernel's order, lowest first
      for (size_t column = 0; column < kColumns.size(); ++column) {
        if (kColumns[column].perf_register == number && (columns_ >> column & 1) != 0)
          order_.push_back(column);
      }
    }
  }

  std::vector<std::byte> bytes() {
    record::encode_file_header({.is_pipe = true}, out_);
    add_event();
    add_features();
    for (const auto& line : dump_.lines) {
      std::visit(
          Overloaded{[&](const Mapping& mapping) { add(mapping); }, [&](const Fork& fork) { add(fork); },
                     [&](const Name& name) { add(name); }, [&](const Sample& sample) { add(sample); }},
          line);
    }
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

  void add_event() {
    perf_event_attr& attr = event_.attr;
    attr.type = is_clock(dump_.header) ? PERF_TYPE_SOFTWARE : PERF_TYPE_RAW;
    if (attr.type == PERF_TYPE_SOFTWARE) attr.config = PERF_COUNT_SW_CPU_CLOCK;
    attr.size = sizeof attr;
    attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_REGS_INTR;
    attr.sample_period = dump_.header.events_per_sample.value_or(0);
    if (attr.sample_period != 0) attr.sample_type |= PERF_SAMPLE_PERIOD;
    if (dump_.header.precise.value_or(false)) attr.precise_ip = 3;
    attr.exclude_kernel = dump_.header.sample_type == "user" ? 1 : 0;
    attr.exclude_user = dump_.header.sample_type == "kernel" ? 1 : 0;
    for (size_t column : order_) attr.sample_regs_intr |= uint64_t{1} << kColumns[column].perf_register;
    event_.ids = {kEventId};
    (void)record::encode_header_attr(event_, out_);  // one id always fits
    ByteWriter payload;
    std::string_view name = dump_.header.event.empty() ? "dump" : std::string_view(dump_.header.event);
    record::encode_event_update({.kind = record::kUpdateName, .id = kEventId, .text = name}, payload);
    append(record::kEventUpdate, payload);
  }

  void add_features() {
    record::Features features;
    if (!dump_.header.command.empty()) features.cmdline = {dump_.header.command};
    for (const auto& [bit, section] : record::encode_features(features, {}))
      (void)record::encode_feature_record({.feature = bit, .section = section},
                                          out_);  // a longer one is left out
    add_private_feature();
  }

  void add_private_feature() {
    nlohmann::json json = nlohmann::json::object();
    if (!dump_.header.pmu.empty()) json["pmu"] = dump_.header.pmu;
    if (!dump_.header.counter.empty()) json["counter"] = dump_.header.counter;
    std::string text = json_line(json);
    ByteWriter payload;
    record::encode_event_update({.kind = record::kUpdateHardmeter, .id = 0, .text = text}, payload);
    append(record::kEventUpdate, payload);
  }

  void add(const Mapping& mapping) {
    ByteWriter payload;
    record::encode_mmap({.pid = mapping.pid,
                         .tid = mapping.pid,
                         .address = mapping.start,
                         .length = mapping.end - mapping.start,
                         .file_offset = mapping.file_offset,
                         .path = mapping.path},
                        payload);
    append(PERF_RECORD_MMAP, payload);
  }

  void add(const Fork& fork) {
    ByteWriter payload;
    record::encode_task(
        {.pid = fork.pid, .parent_pid = fork.parent, .tid = fork.pid, .parent_tid = fork.parent}, payload);
    append(PERF_RECORD_FORK, payload);
  }

  void add(const Name& name) {
    std::string& known = names_[name.thread.tid];
    if (known == name.comm) return;
    known = name.comm;
    ByteWriter payload;
    record::encode_comm({.pid = name.thread.pid, .tid = name.thread.tid, .name = name.comm}, payload);
    append(PERF_RECORD_COMM, payload);
  }

  void add(const Sample& sample) {
    ByteWriter values;
    bool has_all = (columns_ & ~sample.known) == 0;
    for (size_t column : order_) {
      if (has_all) values.u64(sample.values[column]);
    }
    record::Sample encoded;
    encoded.id = kEventId;
    encoded.ip = sample.values[kIpColumn];
    encoded.pid = sample.thread.pid;
    encoded.tid = sample.thread.tid;
    encoded.period = event_.attr.sample_period;
    encoded.intr_regs.abi = !has_all          ? PERF_SAMPLE_REGS_ABI_NONE
                            : dump_.is_32_bit ? PERF_SAMPLE_REGS_ABI_32
                                              : PERF_SAMPLE_REGS_ABI_64;
    encoded.intr_regs.mask = event_.attr.sample_regs_intr;
    encoded.intr_regs.values = record::U64View(values.bytes(), false);
    ByteWriter payload;
    record::encode_sample(event_.attr, encoded, payload);
    append(PERF_RECORD_SAMPLE, payload);
  }

  // What is too long for a record is left out: a path of 64 KiB.
  void append(uint32_t type, const ByteWriter& payload) {
    (void)record::append_record(out_, type, PERF_RECORD_MISC_USER, payload.bytes());
  }

  const Dump& dump_;
  uint32_t columns_;
  std::vector<size_t> order_;
  record::EventDescription event_;
  std::map<uint32_t, std::string> names_;  // by thread
  ByteWriter out_;
};

}  // namespace

std::vector<std::byte> as_recording(const Dump& dump) { return Recording(dump).bytes(); }

}  // namespace hm::dump
