// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/collector.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>

#include "pmu/soft/ring/process_link.h"

namespace hm::soft {
namespace {

struct Memory {
  static void* map_shared(int fd, uint64_t bytes) {
    void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return mapped == MAP_FAILED ? nullptr : mapped;
  }
  static void unmap(void* mapping, uint64_t bytes) { ::munmap(mapping, bytes); }
  static int hide_descriptor(int fd) { return fd; }
};

constexpr uint32_t kRecordType = 77;

// A process that calls exec `images` times before the recorder checks, then writes one record.
[[noreturn]] void run_images(const std::string& folder, int images, int ready, int go) {
  ProcessLink<Memory> link;
  char byte = 0;
  bool works = link.open_session(folder.c_str());
  for (int i = 0; works && i < images; ++i) {
    works = link.open_ring();
    if (works) link.ring()->open(static_cast<uint32_t>(::getpid()));
  }
  works = works && ::write(ready, "r", 1) == 1 && ::read(go, &byte, 1) == 1;
  perf_event_header record{kRecordType, 0, sizeof(record)};
  if (works) link.ring()->write(&record, sizeof(record));
  works = works && ::write(ready, "w", 1) == 1 && ::read(go, &byte, 1) == 1;
  ::_exit(works ? 0 : 1);
}

TEST(Collector, KeepsTheRingOfTheLastImage) {
  constexpr int kImages = 8;
  Session session{};
  session.magic = kSessionMagic;
  session.ring_data_bytes = 4096;
  auto folder = SessionFolder::create(session);
  ASSERT_TRUE(folder.ok());
  std::array<int, 2> ready{}, go{};
  ASSERT_EQ(::pipe(ready.data()), 0);
  ASSERT_EQ(::pipe(go.data()), 0);
  pid_t child = ::fork();
  if (child == 0) run_images(folder->path(), kImages, ready[1], go[0]);
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  unsigned records = 0;
  const auto count = [&](Bytes record) {
    perf_event_header header;
    std::memcpy(&header, record.data(), sizeof(header));
    records += header.type == kRecordType ? 1 : 0;
    return Status();
  };
  Collector collector(*folder, count, nullptr);
  for (int round = 0; round < 2; ++round) EXPECT_TRUE(collector.collect().ok());
  EXPECT_EQ(collector.live_processes(), 1u);
  ASSERT_EQ(::write(go[1], "g", 1), 1);
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_TRUE(collector.collect().ok());
  EXPECT_EQ(records, 1u) << "the process still writes to this ring";
  ASSERT_EQ(::write(go[1], "g", 1), 1);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(collector.collect().ok());
  EXPECT_EQ(collector.live_processes(), 0u);
  for (int fd : {ready[0], ready[1], go[0], go[1]}) ::close(fd);
}

}  // namespace
}  // namespace hm::soft
