// SPDX-License-Identifier: MIT
// For tests: builds a recording record by record, writes it to a file and loads it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <sys/mman.h>

#include "base/temporary_folder.h"
#include "profile/loader.h"
#include "record/comm.h"
#include "record/deferred_chain.h"
#include "record/extension.h"
#include "record/ksymbol.h"
#include "record/lost.h"
#include "record/mmap.h"
#include "record/read.h"
#include "record/sample.h"
#include "record/sample_id.h"
#include "record/task.h"
#include "record/throttle.h"
#include "record/writer.h"
#include "symbol/file_resolver.h"

namespace hm::profile {

inline constexpr uint64_t kTestSampleType =
    PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;

// Event i has the id i + 1.
inline record::EventDescription test_event(std::string name, uint64_t id, uint64_t extra_sample_type = 0) {
  record::EventDescription event;
  event.name = std::move(name);
  event.attr.size = sizeof event.attr;
  event.attr.type = PERF_TYPE_RAW;
  event.attr.config = id;
  event.attr.sample_type = kTestSampleType | extra_sample_type;
  event.attr.sample_id_all = 1;
  event.attr.sample_period = 10;
  event.attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
  event.ids = {id};
  return event;
}

class TestRecording {
 public:
  explicit TestRecording(std::vector<record::EventDescription> events) : events_(std::move(events)) {}

  record::Features features;

  void map(uint64_t time_ns, uint32_t pid, uint64_t start, uint64_t size, std::string_view path,
           uint64_t offset = 0) {
    record::Mmap mmap;
    mmap.pid = mmap.tid = pid;
    mmap.address = start;
    mmap.length = size;
    mmap.file_offset = offset;
    mmap.path = path;
    bool kernel = path.starts_with("[kernel");
    add(PERF_RECORD_MMAP, kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER, time_ns,
        [&](ByteWriter& out) { record::encode_mmap(mmap, out); });
  }

  // Maps memory of a file that processes share.
  void map_shared(uint64_t time_ns, uint32_t pid, uint64_t start, uint64_t size, std::string_view path,
                  uint64_t inode) {
    record::Mmap mmap{
        .pid = pid, .tid = pid, .address = start, .length = size, .path = path, .executable = false};
    mmap.protection = PROT_READ | PROT_WRITE;
    mmap.flags = MAP_SHARED;
    mmap.identity = record::FileIdentity{0, 1, inode, 0};
    add(record::record_type_of(mmap), PERF_RECORD_MISC_USER | record::misc_bits_of(mmap), time_ns,
        [&](ByteWriter& out) { record::encode_mmap(mmap, out); });
  }

  // Adds code of the kernel, or removes it.
  void kernel_symbol(uint64_t time_ns, uint64_t start, uint32_t bytes, std::string_view name,
                     bool added = true) {
    auto flags = static_cast<uint16_t>(added ? 0 : PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER);
    add(PERF_RECORD_KSYMBOL, PERF_RECORD_MISC_KERNEL, time_ns, [&](ByteWriter& out) {
      record::encode_ksymbol({start, bytes, PERF_RECORD_KSYMBOL_TYPE_BPF, flags, name}, out);
    });
  }

  void comm(uint64_t time_ns, uint32_t pid, uint32_t tid, std::string_view name, bool exec = false) {
    add(PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0, time_ns, [&](ByteWriter& out) {
      record::encode_comm({pid, tid, name, exec}, out);
    });
  }

  void fork(uint64_t time_ns, uint32_t pid, uint32_t parent) {
    add(PERF_RECORD_FORK, 0, time_ns, [&](ByteWriter& out) {
      record::encode_task({pid, parent, pid, parent, time_ns}, out);
    });
  }

  void lost(uint64_t time_ns, uint64_t count) {
    add(PERF_RECORD_LOST, 0, time_ns, [&](ByteWriter& out) { record::encode_lost({1, count}, out); });
  }

  // Throttles the event with this id, or unthrottles it.
  void throttle(uint64_t time_ns, uint64_t id, bool again = false) {
    add(again ? PERF_RECORD_UNTHROTTLE : PERF_RECORD_THROTTLE, 0, time_ns, [&](ByteWriter& out) {
      record::encode_throttle({time_ns, id, id}, out);
    });
  }

  // Adds the user part of the call chains that end with `cookie`.
  void deferred_chain(uint64_t time_ns, uint32_t tid, uint64_t cookie, const std::vector<uint64_t>& chain) {
    ByteWriter payload;
    record::encode_deferred_chain({.cookie = cookie, .callchain = record::U64View(chain)}, payload);
    record::encode_sample_id(events_[0].attr, {.pid = tid, .tid = tid, .time_ns = time_ns, .id = 1}, payload);
    EXPECT_TRUE(record::append_record(records_, record::kCallchainDeferred, 0, payload.bytes()).ok());
  }

  void read(uint64_t time_ns, uint32_t pid, uint64_t id, uint64_t value) {
    record::ReadValues values(events_[0].attr.read_format, record::ReadValue{.value = value, .id = id});
    values.time_enabled_ns = 200;
    values.time_running_ns = 100;
    add(PERF_RECORD_READ, 0, time_ns, [&](ByteWriter& out) { record::encode_read({pid, pid, values}, out); });
  }

  // Adds a sample; fills in the mandatory fields unless the caller did.
  void sample(uint64_t time_ns, uint32_t pid, uint64_t ip, record::Sample sample = {}, size_t event = 0,
              uint16_t mode = PERF_RECORD_MISC_USER) {
    sample.type = events_[event].attr.sample_type;
    sample.id = events_[event].ids[0];
    sample.time_ns = time_ns;
    sample.pid = sample.tid = pid;
    sample.ip = ip;
    ByteWriter payload;
    record::encode_sample(events_[event].attr, sample, payload);
    EXPECT_TRUE(record::append_record(records_, PERF_RECORD_SAMPLE, mode, payload.bytes()).ok());
  }

  [[nodiscard]] Profile load(const LoadOptions& options = {}) const {
    TemporaryFolder folder;
    std::string path = folder.file("perf.data");
    auto writer = record::Writer::create(path, events_);
    EXPECT_TRUE(writer.ok());
    EXPECT_TRUE(writer->append(records_.bytes()).ok());
    EXPECT_TRUE(writer->finish(features).ok());
    auto reader = record::Reader::open(path);
    EXPECT_TRUE(reader.ok());
    Result<Profile> profile = profile::load(*reader, symbol::FileResolver(), options);
    EXPECT_TRUE(profile.ok());
    return *std::move(profile);
  }

 private:
  template <typename Encode>
  void add(uint32_t type, uint16_t misc, uint64_t time_ns, Encode&& encode) {
    ByteWriter payload;
    encode(payload);
    record::SampleId id;
    id.type = record::kSampleIdFields & events_[0].attr.sample_type;
    id.time_ns = time_ns;
    id.id = events_[0].ids[0];
    record::encode_sample_id(events_[0].attr, id, payload);
    EXPECT_TRUE(record::append_record(records_, type, misc, payload.bytes()).ok());
  }

  std::vector<record::EventDescription> events_;
  ByteWriter records_;
};

}  // namespace hm::profile
