// SPDX-License-Identifier: MIT
// Real rings of the kernel.
#include "pmu/soft/sampling/io_rings.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "pmu/soft/sampling/read_memory.h"

namespace hm::soft {
namespace {

bool read_mine(uint64_t from, void* to, uint64_t bytes) { return read_memory(from, to, bytes) == bytes; }

struct Used {
  uint64_t address, bytes;
  bool written;
  bool operator==(const Used&) const = default;
};

class IoRingsTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kEntries = 4;

  void SetUp() override {
    ring_ = static_cast<int>(follow(SYS_io_uring_setup, kEntries, address(&parameters_)));
    if (ring_ < 0) GTEST_SKIP() << "the kernel refuses io_uring: " << std::strerror(-ring_) << "; not tested";
    submissions_ = map(parameters_.sq_off.array + kEntries * sizeof(uint32_t), IORING_OFF_SQ_RING);
    completions_ = map(parameters_.cq_off.cqes + 2 * kEntries * sizeof(io_uring_cqe), IORING_OFF_CQ_RING);
    entries_ = map(kEntries * sizeof(io_uring_sqe), IORING_OFF_SQES);
    zeros_ = ::open("/dev/zero", O_RDONLY);
    ASSERT_EQ(::pipe(pipe_), 0);
  }
  void TearDown() override {
    for (int each : {ring_, zeros_, pipe_[0], pipe_[1]}) {
      if (each >= 0) ::close(each);
    }
  }

  template <typename T>
  static uint64_t address(T* pointer) {
    return reinterpret_cast<uint64_t>(pointer);
  }

  // Makes the call and follows it.
  int64_t follow(uint64_t number, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0,
                 uint64_t e = 0, uint64_t f = 0) {
    CompletedCall call{number, {a, b, c, d, e, f}, 0};
    const auto word = [&](int i) { return static_cast<int64_t>(call.arguments[i]); };
    call.result =
        system_call(static_cast<int64_t>(number), word(0), word(1), word(2), word(3), word(4), word(5));
    CompletedCall done[IoRings::kMaxDone];
    uint32_t count = rings_.follow(call, read_mine, done);
    const auto add = [&](const CallBuffer& each) {
      used_.push_back({each.address, each.bytes, each.written});
    };
    for (uint32_t i = 0; i < count; ++i) visit_call_buffers(done[i], read_mine, BufferVisitor(add));
    return call.result;
  }

  char* map(uint64_t bytes, uint64_t offset) {
    return reinterpret_cast<char*>(follow(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_POPULATE, static_cast<uint64_t>(ring_), offset));
  }

  void submit(uint8_t operation, int descriptor, void* buffer, uint32_t bytes, uint64_t user_data) {
    auto* tail = reinterpret_cast<uint32_t*>(submissions_ + parameters_.sq_off.tail);
    uint32_t index = *tail % kEntries;
    auto* entry = reinterpret_cast<io_uring_sqe*>(entries_) + index;
    *entry = {};
    entry->opcode = operation;
    entry->fd = descriptor;
    entry->addr = address(buffer);
    entry->len = bytes;
    entry->off = ~uint64_t{0};
    entry->user_data = user_data;
    reinterpret_cast<uint32_t*>(submissions_ + parameters_.sq_off.array)[index] = index;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
  }
  // Submits `count` entries and waits for `wanted` completions, which it takes from the ring.
  void enter(uint32_t count, uint32_t wanted) {
    ASSERT_EQ(follow(SYS_io_uring_enter, static_cast<uint64_t>(ring_), count, wanted, IORING_ENTER_GETEVENTS),
              static_cast<int64_t>(count));
    auto* head = reinterpret_cast<uint32_t*>(completions_ + parameters_.cq_off.head);
    __atomic_store_n(head, *head + wanted, __ATOMIC_RELEASE);
  }

  IoRings rings_;
  io_uring_params parameters_{};
  std::vector<Used> used_;
  int ring_ = -1, zeros_ = -1, pipe_[2] = {-1, -1};
  char *submissions_ = nullptr, *completions_ = nullptr, *entries_ = nullptr;
  char buffer_[8192] = {};
};

TEST_F(IoRingsTest, ReadWhatCompletionsReturn) {
  submit(IORING_OP_READ, zeros_, buffer_, 5000, 1);
  submit(IORING_OP_WRITE, pipe_[1], buffer_ + 5000, 100, 2);
  enter(2, 2);
  EXPECT_EQ(used_,
            (std::vector<Used>{{address(buffer_), 5000, true}, {address(buffer_) + 5000, 100, false}}));
  used_.clear();
  submit(IORING_OP_READ, pipe_[0], buffer_, 5000, 3);
  enter(1, 1);
  EXPECT_EQ(used_, (std::vector<Used>{{address(buffer_), 100, true}})) << "the pipe had no more";
}

TEST_F(IoRingsTest, ReadNothingBeforeItHasArrived) {
  submit(IORING_OP_READ, pipe_[0], buffer_, 5000, 1);
  enter(1, 0);
  EXPECT_EQ(used_, std::vector<Used>{});
  ASSERT_EQ(::write(pipe_[1], "12345", 5), 5);
  enter(0, 1);
  EXPECT_EQ(used_, (std::vector<Used>{{address(buffer_), 5, true}}));
}

TEST_F(IoRingsTest, ReadManyTimesAround) {
  for (uint32_t i = 0; i < 1000; ++i) {
    submit(IORING_OP_READ, zeros_, buffer_, 64, 7);
    submit(IORING_OP_NOP, -1, nullptr, 0, 7);
    enter(2, 2);
  }
  EXPECT_EQ(used_.size(), 1000u);
}

TEST_F(IoRingsTest, HaveNoBuffersIfOperationsFail) {
  submit(IORING_OP_READ, -1, buffer_, 64, 1);
  enter(1, 1);
  EXPECT_EQ(used_, std::vector<Used>{});
}

TEST_F(IoRingsTest, OfOtherDescriptorsAreUnknown) {
  CompletedCall call{SYS_io_uring_enter, {12345, 1, 1, 0, 0, 0}, 1}, done[IoRings::kMaxDone];
  EXPECT_EQ(rings_.follow(call, read_mine, done), 0u);
}

}  // namespace
}  // namespace hm::soft
