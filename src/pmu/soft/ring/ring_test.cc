// SPDX-License-Identifier: MIT
// Tests the ring's writer with its reader.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <random>
#include <thread>
#include <vector>

#include "base/wait_until.h"
#include "pmu/soft/ring/ring_writer.h"
#include "record/ring_reader.h"

namespace hm::soft {
namespace {

constexpr uint32_t kDataBytes = 4096;

// A ring in memory, and a session file locked by a separate process, which plays the living recorder.
class Ring : public ::testing::Test {
 protected:
  void SetUp() override {
    char path[] = "/tmp/hardmeter-ring-XXXXXX";
    session_fd_ = ::mkstemp(path);
    ::unlink(path);
    ASSERT_GE(session_fd_, 0);
    session_.ring_data_bytes = kDataBytes;
  }
  void TearDown() override {
    kill_recorder();
    ::close(session_fd_);
  }

  void start_recorder() {
    std::array<int, 2> ready{};
    ASSERT_EQ(::pipe(ready.data()), 0);
    recorder_ = ::fork();
    if (recorder_ == 0) {
      struct flock lock {};
      lock.l_type = F_WRLCK;
      lock.l_whence = SEEK_SET;
      bool locked = ::fcntl(session_fd_, F_SETLK, &lock) == 0;
      if (locked && ::write(ready[1], "x", 1) == 1) ::pause();
      ::_exit(1);
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ::close(ready[0]);
    ::close(ready[1]);
  }

  void kill_recorder() {
    if (recorder_ <= 0) return;
    ::kill(recorder_, SIGKILL);
    ::waitpid(recorder_, nullptr, 0);
    recorder_ = 0;
  }

  RingWriter writer() { return {file_.data(), &session_, session_fd_}; }
  record::RingReader reader() {
    auto* bytes = reinterpret_cast<std::byte*>(file_.data());
    return {page(), bytes + kDataOffset, kDataBytes};
  }
  perf_event_mmap_page* page() { return reinterpret_cast<perf_event_mmap_page*>(file_.data()); }
  RingStatus& status() {
    return *reinterpret_cast<RingStatus*>(reinterpret_cast<char*>(file_.data()) + kStatusOffset);
  }

  // Does the recorder's part after a round: wakes a waiting process.
  void signal_space() {
    __atomic_fetch_add(&status().consumer_futex, 1, __ATOMIC_SEQ_CST);
    futex_wake(&status().consumer_futex);
  }

  Session session_{};
  int session_fd_ = -1;
  pid_t recorder_ = 0;
  std::vector<uint64_t> file_ = std::vector<uint64_t>(ring_file_bytes(kDataBytes) / 8);
};

// Returns a record with bytes that all follow from its number.
std::vector<uint8_t> record_of(uint32_t number) {
  auto size = static_cast<uint16_t>(8 + 8 * (number * 2654435761u >> 16 & 31));
  perf_event_header header{PERF_RECORD_SAMPLE, 0, size};
  std::vector<uint8_t> record(size, static_cast<uint8_t>(number));
  std::memcpy(record.data(), &header, sizeof(header));
  return record;
}

bool is_record(Bytes found, uint32_t number) {
  std::vector<uint8_t> expected = record_of(number);
  return found.size() == expected.size() && std::memcmp(found.data(), expected.data(), expected.size()) == 0;
}

TEST_F(Ring, GivesBackWhatWasWrittenAlsoAcrossItsEnd) {
  RingWriter out = writer();
  record::RingReader in = reader();
  uint32_t read = 0;
  for (uint32_t written = 0; written < 5000; ++written) {
    std::vector<uint8_t> record = record_of(written);
    out.write(record.data(), static_cast<uint32_t>(record.size()));
    if (written % 7 == 6) in.drain([&](Bytes found) { EXPECT_TRUE(is_record(found, read++)); });
  }
  in.drain([&](Bytes found) { EXPECT_TRUE(is_record(found, read++)); });
  EXPECT_EQ(read, 5000u);
  EXPECT_FALSE(in.damaged());
}

TEST_F(Ring, AWriterWaitsWhileItIsFullAndLosesNothing) {
  start_recorder();
  constexpr uint32_t kRecords = 20000;
  RingWriter out = writer();
  std::thread producer([&] {
    for (uint32_t i = 0; i < kRecords; ++i) {
      std::vector<uint8_t> record = record_of(i);
      out.write(record.data(), static_cast<uint32_t>(record.size()));
    }
  });
  record::RingReader in = reader();
  uint32_t read = 0;
  EXPECT_TRUE(wait_until([&] { return __atomic_load_n(&status().waits, __ATOMIC_ACQUIRE) != 0; }));
  while (read < kRecords && !in.damaged()) {
    uint64_t freed = in.drain([&](Bytes found) { ASSERT_TRUE(is_record(found, read++)); });
    if (freed != 0) signal_space();
    if (read % 5 == 0) std::this_thread::yield();
  }
  producer.join();
  EXPECT_EQ(read, kRecords);
  EXPECT_FALSE(out.detached());
}

TEST_F(Ring, AWriterGoesOnWithoutItsRecorder) {
  start_recorder();
  RingWriter out = writer();
  std::vector<uint8_t> record = record_of(1);
  auto size = static_cast<uint32_t>(record.size());
  for (uint32_t i = 0; i < kDataBytes / size; ++i) out.write(record.data(), size);
  EXPECT_FALSE(out.detached());
  kill_recorder();
  out.write(record.data(), size);  // there is no space, and no recorder to free any
  out.write(record.data(), size);
  EXPECT_TRUE(out.detached());
}

TEST_F(Ring, AWriterGoesOnWhereItsRecorderReadsNoMore) {
  start_recorder();
  RingWriter out = writer();
  std::vector<uint8_t> record = record_of(1);
  auto size = static_cast<uint32_t>(record.size());
  for (uint32_t i = 0; i < kDataBytes / size; ++i) out.write(record.data(), size);
  status().unread = 1;
  out.write(record.data(), size);
  out.write(record.data(), size);
  EXPECT_TRUE(out.detached());
  EXPECT_TRUE(recorder_lives(session_fd_));
}

TEST_F(Ring, AWriterDropsRecordsIfItsRecorderDoesNotRead) {
  start_recorder();
  RingWriter out = writer();
  std::vector<uint8_t> record = record_of(1);
  auto size = static_cast<uint32_t>(record.size());
  uint32_t kept = kDataBytes / size;
  for (uint32_t i = 0; i < kept; ++i) out.write(record.data(), size);
  EXPECT_EQ(status().lost, 0u);
  out.write(record.data(), size);
  EXPECT_EQ(status().lost, 1u);
  EXPECT_EQ(session_.stalled, 1u);
  EXPECT_FALSE(out.detached());

  uint64_t waits = status().waits;
  session_.stalled = 0;  // as if the recorder continued, but without reading this ring
  for (int i = 0; i < 1000; ++i) out.write(record.data(), size);
  EXPECT_EQ(status().lost, 1001u);
  EXPECT_EQ(status().waits, waits) << "once is enough";

  record::RingReader in = reader();
  uint32_t read = 0;
  in.drain([&](Bytes found) { read += is_record(found, 1) ? 1 : 0; });
  EXPECT_EQ(read, kept);
  out.write(record.data(), size);
  in.drain([&](Bytes found) { read += is_record(found, 1) ? 1 : 0; });
  EXPECT_EQ(read, kept + 1) << "there is space again";
  EXPECT_EQ(status().lost, 1001u);
}

TEST_F(Ring, AWriterDoesNotWaitIfAnotherHasDoneSoInVain) {
  start_recorder();
  RingWriter out = writer();
  std::vector<uint8_t> record = record_of(1);
  auto size = static_cast<uint32_t>(record.size());
  session_.stalled = 1;
  for (uint32_t i = 0; i < kDataBytes / size + 3; ++i) out.write(record.data(), size);
  EXPECT_EQ(status().lost, 3u);
  EXPECT_EQ(status().waits, 0u);
  EXPECT_FALSE(out.detached());
}

TEST_F(Ring, ARecorderThatLivesIsWaitedFor) {
  start_recorder();
  EXPECT_TRUE(recorder_lives(session_fd_));
  kill_recorder();
  EXPECT_FALSE(recorder_lives(session_fd_));
}

TEST_F(Ring, ADamagedHeaderEndsIt) {
  for (uint16_t size : std::array<uint16_t, 4>{0, 7, 12, 4096}) {
    std::ranges::fill(file_, 0);
    record::RingReader in = reader();
    perf_event_header header{PERF_RECORD_SAMPLE, 0, size};
    std::memcpy(reinterpret_cast<char*>(file_.data()) + kDataOffset, &header, sizeof(header));
    page()->data_head = 64;
    in.drain([](Bytes) { ADD_FAILURE() << "a damaged record was taken"; });
    EXPECT_TRUE(in.damaged()) << size;
    EXPECT_EQ(page()->data_tail, page()->data_head);
  }
}

TEST_F(Ring, HeadsThatCannotBeEndIt) {
  for (uint64_t head : {uint64_t{4}, uint64_t{kDataBytes} + 8, ~uint64_t{0}}) {
    std::ranges::fill(file_, 0);
    record::RingReader in = reader();
    page()->data_head = head;
    in.drain([](Bytes) { ADD_FAILURE() << "there was no record"; });
    EXPECT_TRUE(in.damaged()) << head;
  }
}

TEST_F(Ring, RandomBytesNeverLeadOutOfIt) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 2000; ++round) {
    for (size_t i = kDataOffset / 8; i < file_.size(); ++i) file_[i] = random() >> random() % 64;
    page()->data_tail = random() % kDataBytes;
    page()->data_head = page()->data_tail + random() % (2 * kDataBytes);
    uint64_t taken = 0;
    reader().drain([&](Bytes found) { taken += found.size(); });
    EXPECT_LE(taken, kDataBytes);
  }
}

TEST_F(Ring, ItsStatusIsVisibleToTheRecorder) {
  RingWriter out = writer();
  out.open(4321);
  EXPECT_EQ(status().magic, kRingMagic);
  EXPECT_EQ(status().pid, 4321u);
  EXPECT_EQ(status().state, uint32_t{kRingLive});
  EXPECT_EQ(session_.rings_created, 1u);
  uint32_t rung = session_.doorbell;
  out.close();
  EXPECT_EQ(status().state, uint32_t{kRingFinished});
  EXPECT_GT(session_.doorbell, rung);
}

}  // namespace
}  // namespace hm::soft
