// SPDX-License-Identifier: MIT
// Buffers of system calls, by known answers and compared with what the kernel really does: calls are made
// with buffers full of a pattern, and with buffers that end at an unmapped page.
#include "pmu/soft/sampling/system_call_buffers.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "pmu/soft/sampling/read_memory.h"

namespace hm::soft {
namespace {

constexpr uint64_t kPageBytes = 4096;

bool read_own(uint64_t from, void* to, uint64_t bytes) { return read_memory(from, to, bytes) == bytes; }

struct Buffer {
  uint64_t address, bytes;
  bool written;
  bool operator==(const Buffer&) const = default;
};

void PrintTo(const Buffer& buffer, std::ostream* out) {
  *out << (buffer.written ? "written " : "read ") << std::hex << buffer.address << std::dec << '+'
       << buffer.bytes;
}

std::vector<Buffer> buffers_of(const CompletedCall& call) {
  std::vector<Buffer> all;
  const auto add = [&](const CallBuffer& each) { all.push_back({each.address, each.bytes, each.written}); };
  visit_call_buffers(call, read_own, BufferVisitor(add));
  return all;
}

template <typename T>
uint64_t word_of(T value) {
  if constexpr (std::is_null_pointer_v<T>)
    return 0;
  else if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<uint64_t>(value);
  else
    return static_cast<uint64_t>(value);
}

template <typename... Arguments>
CompletedCall call_of(uint64_t number, int64_t result, Arguments... arguments) {
  return {number, {word_of(arguments)...}, result};
}

// Makes the call.
template <typename... Arguments>
CompletedCall make_call(uint64_t number, Arguments... arguments) {
  CompletedCall call = call_of(number, 0, arguments...);
  const uint64_t* a = call.arguments;
  const auto word = [&](int i) { return static_cast<int64_t>(a[i]); };
  call.result =
      system_call(static_cast<int64_t>(number), word(0), word(1), word(2), word(3), word(4), word(5));
  return call;
}

TEST(SystemCallBuffers, ArePartsThatTheKernelUsed) {
  using Buffers = std::vector<Buffer>;
  EXPECT_EQ(buffers_of(call_of(SYS_read, 10, 3, 0x10000, 4096)), (Buffers{{0x10000, 10, true}}));
  EXPECT_EQ(buffers_of(call_of(SYS_write, 4096, 3, 0x10000, 4096)), (Buffers{{0x10000, 4096, false}}));
  EXPECT_EQ(buffers_of(call_of(SYS_read, 0, 3, 0x10000, 4096)), Buffers{}) << "the end of a file";
  EXPECT_EQ(buffers_of(call_of(SYS_read, -EFAULT, 3, 0x10000, 4096)), Buffers{});
  EXPECT_EQ(buffers_of(call_of(SYS_recvfrom, 9000, 3, 0x10000, 4096, MSG_TRUNC, 0, 0)),
            (Buffers{{0x10000, 4096, true}}))
      << "the message was longer than the buffer";
  EXPECT_EQ(buffers_of(call_of(SYS_getpid, 77, 0x10000)), Buffers{});
  EXPECT_EQ(buffers_of(call_of(100000, 0, 0x10000)), Buffers{});
}

TEST(SystemCallBuffers, WithoutAddressesAreNone) {
  EXPECT_EQ(buffers_of(call_of(SYS_wait4, 12, -1, nullptr, 0, nullptr)), std::vector<Buffer>{});
  EXPECT_EQ(buffers_of(call_of(SYS_write, 16, 3, uint64_t{1} << 63, 16)), std::vector<Buffer>{});
  EXPECT_EQ(buffers_of(call_of(SYS_write, 16, 3, (uint64_t{1} << 47) - 8, 16)), std::vector<Buffer>{});
  EXPECT_EQ(buffers_of(call_of(SYS_wait4, 0, -1, 0x10000, WNOHANG, 0x20000)), std::vector<Buffer>{})
      << "no child has ended";
}

TEST(SystemCallBuffers, DependOnTheOperation) {
  std::vector<Buffer> word{{0x10000, 4, false}};
  EXPECT_EQ(buffers_of(call_of(SYS_futex, 0, 0x10000, FUTEX_WAIT_PRIVATE, 0, nullptr)), word);
  EXPECT_EQ(buffers_of(call_of(SYS_futex, 1, 0x10000, FUTEX_WAKE_PRIVATE, 1, nullptr)),
            std::vector<Buffer>{});
  EXPECT_EQ(buffers_of(call_of(SYS_ioctl, 0, 1, 0x5413, 0x10000)), (std::vector<Buffer>{{0x10000, 8, true}}));
  EXPECT_EQ(buffers_of(call_of(SYS_ioctl, 0, 1, 0x1234, 0x10000)), std::vector<Buffer>{});
}

// Arrays of buffers at addresses that are not readable have no buffers but the array.
TEST(SystemCallBuffers, OfBadPointersAreNotRead) {
  EXPECT_EQ(buffers_of(call_of(SYS_readv, 10, 3, 0x10, 2)), (std::vector<Buffer>{{0x10, 32, false}}));
  EXPECT_EQ(buffers_of(call_of(SYS_recvmsg, 10, 3, 0x10)), std::vector<Buffer>{});
  EXPECT_EQ(buffers_of(call_of(SYS_open, 3, 0x10)), std::vector<Buffer>{});
}

TEST(SystemCallBuffers, LinesAreCutAtTheirEnds) {
  std::vector<std::pair<uint64_t, uint32_t>> lines;
  const auto add = [&](uint64_t address, uint32_t bytes) { lines.emplace_back(address, bytes); };
  for_each_line({0x1030, 100, true}, 64, add);
  EXPECT_EQ(lines, (std::vector<std::pair<uint64_t, uint32_t>>{{0x1030, 16}, {0x1040, 64}, {0x1080, 20}}));
}

// Memory with an unmapped page behind it.
class Arena {
 public:
  Arena() {
    void* mapped =
        ::mmap(nullptr, kBytes + kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(mapped, MAP_FAILED);
    start_ = static_cast<unsigned char*>(mapped);
    EXPECT_EQ(::munmap(start_ + kBytes, kPageBytes), 0);
  }
  ~Arena() { ::munmap(start_, kBytes); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  static constexpr uint64_t kBytes = 16 * kPageBytes;

  [[nodiscard]] unsigned char* start() const { return start_; }
  [[nodiscard]] unsigned char* end() const { return start_ + kBytes; }
  void fill(unsigned char pattern) { std::memset(start_, pattern, kBytes); }

 private:
  unsigned char* start_ = nullptr;
};

// Pairs of descriptors for calls.
class KernelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::pipe(pipe_), 0);
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets_), 0);
    char name[] = "/tmp/hm_system_calls_XXXXXX";
    file_ = ::mkstemp(name);
    ASSERT_GE(file_, 0);
    ::unlink(name);
    std::string text(3 * kPageBytes, 'x');
    ASSERT_EQ(::write(file_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void TearDown() override {
    for (int each : {pipe_[0], pipe_[1], sockets_[0], sockets_[1], file_}) ::close(each);
  }

  void send_bytes(size_t bytes) {
    std::string text(bytes, 'y');
    ASSERT_EQ(::write(pipe_[1], text.data(), bytes), static_cast<ssize_t>(bytes));
  }
  void send_message(size_t bytes) {
    std::string text(bytes, 'z');
    ASSERT_EQ(::send(sockets_[0], text.data(), bytes, 0), static_cast<ssize_t>(bytes));
  }

  // The call writes the bytes that the table says and no others. `prepare` is called before each call, after
  // the arena has been filled with a pattern. A byte is written if it differs from one of two patterns.
  using Prepare = std::function<void()>;
  using Call = std::function<CompletedCall()>;
  void expect_written(
      const std::string& what, const Call& call, const Prepare& prepare = [] {}) {
    std::vector<bool> written(Arena::kBytes), told(Arena::kBytes);
    find_written(call, prepare, written, told);
    for (uint64_t i = 0; i < Arena::kBytes; ++i)
      ASSERT_EQ(written[i], told[i]) << what << ": byte " << i << " of the memory";
  }
  // As expect_written(), for calls that write only a part of each buffer.
  void expect_some_written(
      const std::string& what, const Call& call, const Prepare& prepare = [] {}) {
    std::vector<bool> written(Arena::kBytes), told(Arena::kBytes);
    find_written(call, prepare, written, told);
    for (uint64_t i = 0; i < Arena::kBytes; ++i)
      ASSERT_LE(written[i], told[i]) << what << ": byte " << i << " of the memory";
    EXPECT_NE(std::ranges::count(written, true), 0) << what;
  }

  void find_written(const Call& call, const Prepare& prepare, std::vector<bool>& written,
                    std::vector<bool>& told) {
    for (unsigned char pattern : {'\x25', '\x5a'}) {
      arena_.fill(pattern);
      prepare();
      std::vector<unsigned char> before(arena_.start(), arena_.end());
      CompletedCall done = call();
      ASSERT_FALSE(failed(done.result))
          << "the call failed: " << std::strerror(static_cast<int>(-done.result));
      for (uint64_t i = 0; i < Arena::kBytes; ++i) written[i] = written[i] || arena_.start()[i] != before[i];
      for (const Buffer& each : buffers_of(done)) {
        uint64_t from = each.address - word_of(arena_.start());
        for (uint64_t i = 0; each.written && from < Arena::kBytes && i < each.bytes; ++i)
          told[from + i] = true;
      }
    }
  }

  // The call reads the bytes that the table says: it works if they end at the unmapped page, and not if the
  // last byte is in that page. `call` gets the buffer's address; `bytes` is its size.
  void expect_read(const std::string& what, uint64_t bytes, const std::function<CompletedCall(void*)>& call) {
    CompletedCall good = call(arena_.end() - bytes);
    ASSERT_FALSE(failed(good.result)) << what << ": " << std::strerror(static_cast<int>(-good.result));
    Buffer expected{word_of(arena_.end() - bytes), bytes, false};
    std::vector<Buffer> all = buffers_of(good);
    EXPECT_NE(std::ranges::find(all, expected), all.end()) << what;
    std::memmove(arena_.end() - bytes - kPageBytes, arena_.end() - bytes, bytes);  // any contents
    CompletedCall bad = call(arena_.end() - bytes + 1);
    EXPECT_TRUE(bad.result == -EFAULT || (bad.result >= 0 && bad.result < good.result)) << what << bad.result;
  }

  [[nodiscard]] unsigned char* at(uint64_t offset) const { return arena_.start() + offset; }

  Arena arena_;
  int pipe_[2] = {}, sockets_[2] = {}, file_ = -1;
};

TEST_F(KernelTest, WritesWhatReadingCallsReturn) {
  const auto rewind = [&] { ::lseek(file_, 0, SEEK_SET); };
  expect_written(
      "read", [&] { return make_call(SYS_read, file_, at(100), 5000); }, rewind);
  expect_written(
      "read to the end", [&] { return make_call(SYS_read, file_, at(7), 5 * kPageBytes); }, rewind);
  expect_written("read at the end", [&] { return make_call(SYS_read, file_, at(7), 100); });
  expect_written("pread64", [&] { return make_call(SYS_pread64, file_, at(1), 4000, 10); });
  expect_written(
      "read of a pipe", [&] { return make_call(SYS_read, pipe_[0], at(64), 4096); }, [&] { send_bytes(10); });
  expect_written(
      "getrandom", [&] { return make_call(SYS_getrandom, at(3), 100, 0); }, [] {});
}

TEST_F(KernelTest, ScattersOverPieces) {
  iovec pieces[] = {{at(10), 100}, {at(5000), 0}, {at(6000), 3000}, {at(20000), 9000}};
  expect_written(
      "readv", [&] { return make_call(SYS_readv, file_, pieces, 4); }, [&] { ::lseek(file_, 0, SEEK_SET); });
  expect_written("preadv", [&] { return make_call(SYS_preadv, file_, pieces, 4, 5000, 0); });
  expect_written("preadv2", [&] { return make_call(SYS_preadv2, file_, pieces, 4, 5000, 0, 0); });
  expect_written(
      "readv of a pipe", [&] { return make_call(SYS_readv, pipe_[0], pieces, 4); }, [&] { send_bytes(150); });
  std::string other(2000, 'o');
  iovec remote{other.data(), other.size()};
  expect_written("process_vm_readv",
                 [&] { return make_call(SYS_process_vm_readv, ::getpid(), pieces, 4, &remote, 1, 0); });
}

TEST_F(KernelTest, WritesMessagesAndTheirHeads) {
  expect_written(
      "recvfrom", [&] { return make_call(SYS_recvfrom, sockets_[1], at(9), 4096, 0, 0, 0); },
      [&] { send_message(100); });
  expect_written(
      "recvfrom of a longer message",
      [&] { return make_call(SYS_recvfrom, sockets_[1], at(9), 50, MSG_TRUNC, 0, 0); },
      [&] { send_message(100); });
  auto* head = reinterpret_cast<msghdr*>(at(64));
  auto* pieces = reinterpret_cast<iovec*>(at(512));
  const auto prepare = [&] {
    send_message(300);
    *head = {};
    head->msg_iov = pieces;
    head->msg_iovlen = 2;
    pieces[0] = {at(1000), 40};
    pieces[1] = {at(2000), 1000};
    head->msg_flags = 0x5a5a;
    head->msg_namelen = 99;
    head->msg_controllen = 0;
  };
  expect_some_written(
      "recvmsg", [&] { return make_call(SYS_recvmsg, sockets_[1], head, 0); }, prepare);
  CompletedCall call = call_of(SYS_recvmsg, 300, 3, head, 0);
  arena_.fill(0);
  head->msg_iov = pieces;
  head->msg_iovlen = 2;
  pieces[0] = {at(1000), 40};
  pieces[1] = {at(2000), 1000};
  std::vector<Buffer> all = buffers_of(call);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0], (Buffer{word_of(head), 56, false}));
  EXPECT_EQ(all[1], (Buffer{word_of(pieces), 32, false}));
  EXPECT_EQ(all[2], (Buffer{word_of(at(1000)), 40, true}));
  EXPECT_EQ(all[3], (Buffer{word_of(at(2000)), 260, true}));
}

TEST_F(KernelTest, WritesEachMessageOfSeveral) {
  auto* messages = reinterpret_cast<mmsghdr*>(at(0));
  iovec pieces[] = {{at(1000), 100}, {at(2000), 100}, {at(3000), 100}};
  const auto prepare = [&] {
    send_message(30);
    send_message(60);
    for (int i = 0; i < 3; ++i) {
      messages[i] = {};
      messages[i].msg_hdr.msg_iov = &pieces[i];
      messages[i].msg_hdr.msg_iovlen = 1;
    }
  };
  expect_some_written(
      "recvmmsg", [&] { return make_call(SYS_recvmmsg, sockets_[1], messages, 3, MSG_DONTWAIT, 0); },
      prepare);
}

TEST_F(KernelTest, WritesStructuresOfKnownSizes) {
  expect_written("fstat", [&] { return make_call(SYS_fstat, file_, at(8)); });
  expect_written("stat", [&] { return make_call(SYS_stat, "/", at(8)); });
  expect_written("lstat", [&] { return make_call(SYS_lstat, "/", at(8)); });
  expect_written("newfstatat", [&] { return make_call(SYS_newfstatat, AT_FDCWD, "/", at(8), 0); });
  expect_written("statx", [&] { return make_call(SYS_statx, AT_FDCWD, "/", 0, 0x7ff, at(8)); });
  expect_written("statfs", [&] { return make_call(SYS_statfs, "/", at(8)); });
  expect_written("fstatfs", [&] { return make_call(SYS_fstatfs, file_, at(8)); });
  expect_written("uname", [&] { return make_call(SYS_uname, at(8)); });
  expect_written("sysinfo", [&] { return make_call(SYS_sysinfo, at(8)); });
  expect_written("times", [&] { return make_call(SYS_times, at(8)); });
  expect_written("getrusage", [&] { return make_call(SYS_getrusage, RUSAGE_SELF, at(8)); });
  expect_written("getrlimit", [&] { return make_call(SYS_getrlimit, RLIMIT_NOFILE, at(8)); });
  expect_written("prlimit64", [&] { return make_call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, at(8)); });
  expect_written("gettimeofday", [&] { return make_call(SYS_gettimeofday, at(8), at(100)); });
  expect_written("clock_gettime", [&] { return make_call(SYS_clock_gettime, 1, at(8)); });
  expect_written("clock_getres", [&] { return make_call(SYS_clock_getres, 1, at(8)); });
  expect_written("time", [&] { return make_call(SYS_time, at(8)); });
  expect_written("getcpu", [&] { return make_call(SYS_getcpu, at(8), at(100)); });
  expect_written("getresuid", [&] { return make_call(SYS_getresuid, at(8), at(100), at(200)); });
  expect_written("getresgid", [&] { return make_call(SYS_getresgid, at(8), at(100), at(200)); });
  expect_written("rt_sigprocmask", [&] { return make_call(SYS_rt_sigprocmask, SIG_BLOCK, 0, at(8), 8); });
  expect_written("rt_sigpending", [&] { return make_call(SYS_rt_sigpending, at(8), 8); });
  expect_written("rt_sigaction", [&] { return make_call(SYS_rt_sigaction, SIGUSR1, 0, at(8), 8); });
  expect_written("sigaltstack", [&] { return make_call(SYS_sigaltstack, 0, at(8)); });
  expect_written("prctl", [&] { return make_call(SYS_prctl, 16, at(8)); });
  expect_written("getitimer", [&] { return make_call(SYS_getitimer, 0, at(8)); });
}

TEST_F(KernelTest, WritesDescriptorsNamesAndSizes) {
  const auto close_pair = [](const unsigned char* where) {
    int pair[2];
    std::memcpy(pair, where, sizeof(pair));
    ::close(pair[0]);
    ::close(pair[1]);
  };
  expect_written("pipe", [&] {
    CompletedCall call = make_call(SYS_pipe, at(8));
    close_pair(at(8));
    return call;
  });
  expect_written("pipe2", [&] {
    CompletedCall call = make_call(SYS_pipe2, at(8), O_CLOEXEC);
    close_pair(at(8));
    return call;
  });
  expect_written("socketpair", [&] {
    CompletedCall call = make_call(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, at(8));
    close_pair(at(8));
    return call;
  });
  expect_written("getcwd", [&] { return make_call(SYS_getcwd, at(8), 4096); });
  expect_written("readlink", [&] { return make_call(SYS_readlink, "/proc/self/exe", at(8), 4096); });
  expect_written("readlinkat",
                 [&] { return make_call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", at(8), 4096); });
  expect_written("sched_getaffinity", [&] { return make_call(SYS_sched_getaffinity, 0, 1024, at(8)); });
  const auto set_size = [&](int size) { return [this, size] { std::memcpy(at(100), &size, sizeof(size)); }; };
  expect_some_written(
      "getsockname", [&] { return make_call(SYS_getsockname, sockets_[0], at(8), at(100)); }, set_size(64));
  expect_some_written(
      "getsockopt",
      [&] { return make_call(SYS_getsockopt, sockets_[0], SOL_SOCKET, SO_RCVBUF, at(8), at(100)); },
      set_size(64));
}

TEST_F(KernelTest, WritesEntriesOfFolders) {
  int folder = ::open("/proc/self", O_RDONLY | O_DIRECTORY);
  ASSERT_GE(folder, 0);
  // The kernel leaves the gaps between names and the next entry as they are.
  expect_some_written(
      "getdents64", [&] { return make_call(SYS_getdents64, folder, at(8), 4096); },
      [&] { ::lseek(folder, 0, SEEK_SET); });
  expect_some_written(
      "getdents", [&] { return make_call(SYS_getdents, folder, at(8), 4096); },
      [&] { ::lseek(folder, 0, SEEK_SET); });
  ::close(folder);
}

TEST_F(KernelTest, WritesEventsThatAreReady) {
  send_bytes(1);
  auto* polled = reinterpret_cast<pollfd*>(at(8));
  const auto prepare = [&] {
    polled[0] = {pipe_[0], POLLIN, 0};
    polled[1] = {sockets_[0], POLLIN, 0x77};
  };
  expect_some_written(
      "poll", [&] { return make_call(SYS_poll, polled, 2, 0); }, prepare);
  expect_some_written(
      "ppoll", [&] { return make_call(SYS_ppoll, polled, 2, at(1000), 0, 8); },
      [&] {
        prepare();
        std::memset(at(1000), 0, sizeof(timespec));
        at(1000)[8] = 1;  // a nanosecond
      });
  auto* set = reinterpret_cast<fd_set*>(at(8));
  const auto prepare_set = [&] {
    std::memset(set, 0, 128);
    FD_SET(pipe_[0], set);
    FD_SET(sockets_[0], set);
    std::memset(at(1000), 0, sizeof(timeval));
    at(1000)[8] = 1;
  };
  expect_some_written(
      "select", [&] { return make_call(SYS_select, 64, set, 0, 0, at(1000)); }, prepare_set);
  int epoll = ::epoll_create1(0);
  epoll_event wanted{};
  wanted.events = EPOLLIN;
  wanted.data.u64 = 0x0102030405060708;
  ASSERT_EQ(::epoll_ctl(epoll, EPOLL_CTL_ADD, pipe_[0], &wanted), 0);
  expect_written("epoll_wait", [&] { return make_call(SYS_epoll_wait, epoll, at(8), 10, 0); });
  expect_written("epoll_pwait", [&] { return make_call(SYS_epoll_pwait, epoll, at(8), 10, 0, 0, 8); });
  ::close(epoll);
}

TEST_F(KernelTest, WritesWhatIsKnownOfAChild) {
  const auto fork_child = [&] {
    if (::fork() == 0) ::_exit(3);
  };
  expect_written(
      "wait4", [&] { return make_call(SYS_wait4, -1, at(8), 0, at(100)); }, fork_child);
}

TEST_F(KernelTest, WritesOffsetsAndResidentPages) {
  int other = ::memfd_create("other", 0);
  const auto set_offset = [&] {
    std::memset(at(8), 0, sizeof(uint64_t));
    at(8)[0] = 5;
  };
  expect_some_written(
      "sendfile", [&] { return make_call(SYS_sendfile, other, file_, at(8), 10); }, set_offset);
  ::close(other);
  expect_written("mincore", [&] { return make_call(SYS_mincore, at(0), 3 * kPageBytes + 1, at(8)); });
}

TEST_F(KernelTest, ReadsWhatWritingCallsReturn) {
  expect_read("write", 100, [&](void* buffer) { return make_call(SYS_write, file_, buffer, 100); });
  expect_read("pwrite64", 100, [&](void* buffer) { return make_call(SYS_pwrite64, file_, buffer, 100, 0); });
  expect_read("writev", 32, [&](void* buffer) {
    const iovec pieces[] = {{at(0), 10}, {at(100), 10}};
    std::memcpy(at(8192), pieces, sizeof(pieces));
    if (buffer == arena_.end() - 32) std::memcpy(buffer, pieces, sizeof(pieces));
    return make_call(SYS_writev, file_, buffer, 2);
  });
  expect_read("sendto", 100, [&](void* buffer) {
    CompletedCall call = make_call(SYS_sendto, sockets_[0], buffer, 100, MSG_DONTWAIT, 0, 0);
    char received[200];
    if (call.result > 0) {
      EXPECT_EQ(::recv(sockets_[1], received, sizeof(received), 0), 100);
    }
    return call;
  });
}

TEST_F(KernelTest, ReadsStructuresAndTexts) {
  expect_read("nanosleep", 16, [&](void* buffer) {
    if (buffer == arena_.end() - 16) std::memset(buffer, 0, 16);
    return make_call(SYS_nanosleep, buffer, 0);
  });
  expect_read("poll", 8, [&](void* buffer) {
    if (buffer == arena_.end() - 8) std::memset(buffer, 0xff, 8);
    return make_call(SYS_poll, buffer, 1, 0);
  });
  expect_read("access", 2, [&](void* buffer) {
    const char root[] = "/";
    if (buffer == arena_.end() - 2) std::memcpy(buffer, root, 2);
    arena_.end()[-1] = buffer == arena_.end() - 2 ? '\0' : '/';
    return make_call(SYS_access, buffer, F_OK);
  });
  uint32_t word = 7;
  std::memcpy(arena_.end() - 4, &word, 4);
  CompletedCall requeued =
      make_call(SYS_futex, arena_.end() - 4, FUTEX_CMP_REQUEUE_PRIVATE, 0, 0, at(0), word);
  EXPECT_EQ(requeued.result, 0);
  EXPECT_EQ(buffers_of(requeued), (std::vector<Buffer>{{word_of(arena_.end() - 4), 4, false}}));
}

}  // namespace
}  // namespace hm::soft
