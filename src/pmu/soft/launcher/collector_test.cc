// SPDX-License-Identifier: MIT
// Sessions as hostile programs may leave them: the collector neither crashes nor waits for the programs.
#include "pmu/soft/launcher/collector.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <random>
#include <string>

#include "pmu/soft/ring/spare_ring.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {
namespace {

constexpr uint32_t kDataBytes = 4096;

Session small_session() {
  Session session{};
  session.magic = kSessionMagic;
  session.ring_data_bytes = kDataBytes;
  session.events[0] = {1, 1, 77, 1000};
  session.sizes.lines.set_counts = 1;
  session.sizes.lines.ways = 1;
  return session;
}

// A ring file that is mapped as its process maps it.
class ForgedRing {
 public:
  ForgedRing(const SessionFolder& folder, const std::string& name, uint32_t pid)
      : path_(folder.path() + "/" + kRingFilePrefix + name),
        fd_(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) {
    EXPECT_EQ(::ftruncate(fd_.get(), static_cast<off_t>(ring_file_bytes(kDataBytes))), 0);
    base_ = static_cast<char*>(
        ::mmap(nullptr, ring_file_bytes(kDataBytes), PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0));
    status().pid = pid;
    status().state = kRingLive;
    status().magic = kRingMagic;
    ++folder.session().rings_created;
  }
  ForgedRing(const ForgedRing&) = delete;
  ForgedRing& operator=(const ForgedRing&) = delete;
  ~ForgedRing() { ::munmap(base_, ring_file_bytes(kDataBytes)); }

  [[nodiscard]] RingStatus& status() const { return *reinterpret_cast<RingStatus*>(base_ + kStatusOffset); }
  [[nodiscard]] perf_event_mmap_page& page() const { return *reinterpret_cast<perf_event_mmap_page*>(base_); }
  [[nodiscard]] char* data() const { return base_ + kDataOffset; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int fd() const { return fd_.get(); }
  void cut_off() const { ASSERT_EQ(::ftruncate(fd_.get(), 0), 0); }

 private:
  std::string path_;
  UniqueFd fd_;
  char* base_;
};

class CollectorTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = SessionFolder::create(small_session());
    ASSERT_TRUE(made.ok());
    folder_ = std::make_unique<SessionFolder>(*std::move(made));
    collector_ = std::make_unique<Collector>(
        *folder_,
        [this](Bytes record) {
          taken_bytes_ += record.size();
          count_lost(record);
          return Status();
        },
        nullptr);
    collector_->expect_only_descendants();
  }

  void count_lost(Bytes record) {
    struct {
      perf_event_header header;
      uint64_t id, count;
    } lost;
    if (record.size() < sizeof(lost)) return;
    std::memcpy(&lost, record.data(), sizeof(lost));
    if (lost.header.type == PERF_RECORD_LOST) lost_ += lost.count;
  }

  void expect_not_taken(const std::string& name) {
    ++folder_->session().rings_created;
    EXPECT_TRUE(collector_->collect().ok());
    EXPECT_EQ(collector_->live_processes(), 0u) << name;
    EXPECT_EQ(collector_->totals().processes, 0u) << name;
  }

  [[nodiscard]] std::string ring_path(const std::string& name) const {
    return folder_->path() + "/" + kRingFilePrefix + name;
  }

  std::unique_ptr<SessionFolder> folder_;
  std::unique_ptr<Collector> collector_;
  size_t taken_bytes_ = 0;
  uint64_t lost_ = 0;
};

TEST_F(CollectorTest, TakesTheRingOfALiveProcess) {
  ForgedRing ring(*folder_, "1", static_cast<uint32_t>(::getpid()));
  pid_t child = ::fork();
  if (child == 0) {
    lock_file(ring.fd());
    ring.page().data_head = 8;
    ::pause();
  }
  while (ring.page().data_head == 0) ::usleep(1000);
  ring.page().data_head = 0;
  EXPECT_TRUE(collector_->collect().ok());
  EXPECT_EQ(collector_->live_processes(), 1u);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(collector_->collect().ok());
  EXPECT_EQ(collector_->live_processes(), 0u);
}

TEST_F(CollectorTest, DoesNotWaitForAProcessThatItDidNotStart) {
  ForgedRing claimed(*folder_, "1", 1);
  ForgedRing held(*folder_, "2", 1);
  lock_file(held.fd());
  // The child needs the session, too; its parent holds the lock.
  ASSERT_EQ(::madvise(&folder_->session(), sizeof(Session), MADV_DOFORK), 0);
  pid_t child = ::fork();
  if (child == 0) {
    bool good = collector_->collect().ok() && collector_->live_processes() == 0;
    ::_exit(good ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(CollectorTest, TakesNoFileThatIsNoRing) {
  ASSERT_EQ(::mkfifo(ring_path("fifo").c_str(), 0666), 0);
  ASSERT_EQ(::mkdir(ring_path("folder").c_str(), 0777), 0);
  UniqueFd small(::open(ring_path("small").c_str(), O_RDWR | O_CREAT, 0666));
  ASSERT_EQ(::symlink("/dev/zero", ring_path("link").c_str()), 0);
  expect_not_taken("no regular file of the right size");
  ForgedRing other(*folder_, "other", 1);
  std::string elsewhere = folder_->path() + "/elsewhere";
  ASSERT_EQ(::link(other.path().c_str(), elsewhere.c_str()), 0);
  expect_not_taken("a file with two names");
}

TEST_F(CollectorTest, RecordsWhatAProcessDropped) {
  ForgedRing ring(*folder_, "1", static_cast<uint32_t>(::getpid()));
  folder_->session().stalled = 1;
  ring.status().lost = 5;
  EXPECT_TRUE(collector_->collect().ok());
  EXPECT_EQ(folder_->session().stalled, 0u) << "it goes on";
  EXPECT_EQ(collector_->totals().lost_records, 5u);
  EXPECT_EQ(lost_, 5u) << "in the recording";
}

TEST_F(CollectorTest, CountsRingsThatItCannotOpen) {
  ASSERT_EQ(::mkdir(ring_path("folder").c_str(), 0777), 0);
  for (int round = 0; round < 2; ++round) expect_not_taken("a folder");
  EXPECT_EQ(collector_->totals().unread_rings, 1u);
  EXPECT_EQ(collector_->totals().unread_reason, "Is a directory");
}

TEST_F(CollectorTest, ARingWithoutItsMagicNumberIsNotReady) {
  ForgedRing ring(*folder_, "1", 1);
  ring.status().magic = 0;
  EXPECT_TRUE(collector_->collect().ok());
  EXPECT_TRUE(collector_->awaits_ring());
  EXPECT_EQ(collector_->live_processes(), 0u);
}

TEST_F(CollectorTest, EndsARingWithWrongPositions) {
  for (uint64_t head : {uint64_t{1}, uint64_t{kDataBytes} * 2, ~uint64_t{0}, uint64_t{1} << 63}) {
    ForgedRing ring(*folder_, std::to_string(head), 1);
    ring.page().data_head = head;
    ring.status().thread_slots = ~uint32_t{0};
    ring.status().threads[kMaxThreads - 1].tid = 5;
    EXPECT_TRUE(collector_->collect().ok());
  }
  EXPECT_EQ(collector_->totals().damaged_rings, 4u);
}

TEST_F(CollectorTest, SurvivesARingThatIsCutOff) {
  ForgedRing ring(*folder_, "1", static_cast<uint32_t>(::getpid()));
  pid_t child = ::fork();
  if (child == 0) {
    lock_file(ring.fd());
    ring.page().data_head = 8;
    ::pause();
  }
  while (ring.page().data_head == 0) ::usleep(1000);
  ring.page().data_head = 0;
  EXPECT_TRUE(collector_->collect().ok());
  EXPECT_EQ(collector_->live_processes(), 1u);
  ring.cut_off();
  EXPECT_TRUE(collector_->collect().ok());
  (void)collector_->totals();
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(collector_->finish().ok());
  EXPECT_EQ(collector_->totals().damaged_rings, 1u);
}

TEST_F(CollectorTest, MakesSpareRingsForThoseThatWait) {
  Session& session = folder_->session();
  EXPECT_TRUE(collector_->collect().ok());
  EXPECT_EQ(session.spares_made, 0u) << "none waits";
  session.spares_wanted = 2;
  EXPECT_TRUE(collector_->collect().ok());
  EXPECT_EQ(session.spares_made, 2u);
  session.spares_wanted = 0;
  std::string path = folder_->path() + "/" + SpareFileName(0).text;
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_TRUE(fd.valid());
  struct stat status {};
  ASSERT_EQ(::fstat(fd.get(), &status), 0);
  EXPECT_EQ(static_cast<uint64_t>(status.st_size), ring_file_bytes(kDataBytes));
  EXPECT_EQ(status.st_mode & 0777, 0666u);
  session.spare_states[0] = kSpareTaken;
  EXPECT_TRUE(collector_->collect().ok());
  EXPECT_EQ(session.spare_states[0], kSpareNone);
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
  EXPECT_EQ(::access(ring_path("spare-0").c_str(), F_OK), 0);
  for (uint32_t& state : session.spare_states) state = 77;  // a value that a hostile program may write
  session.spares_wanted = ~uint32_t{0};
  EXPECT_TRUE(collector_->collect().ok());
}

// Processes can write to the session: a wrong size there must not make the recorder read or allocate memory.
TEST_F(CollectorTest, ReliesOnNothingInTheSession) {
  std::memset(static_cast<void*>(&folder_->session()), 0xff, sizeof(Session));
  ForgedRing ring(*folder_, "1", 1);
  ring.status().sizes.accesses = 1;
  ring.status().thread_slots = 1;
  ring.status().threads[0].tid = 9;
  folder_->session().rings_created = 1;
  EXPECT_TRUE(collector_->collect().ok());
  EXPECT_TRUE(collector_->finish().ok());
  EXPECT_EQ(collector_->totals().reuses.size(), size_t{model::kReuseClasses} * 2);
  EXPECT_GT(taken_bytes_, 0u);
}

TEST_F(CollectorTest, SurvivesRandomRings) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20; ++round) {
    ForgedRing ring(*folder_, std::to_string(round), 1);
    auto* words = reinterpret_cast<uint64_t*>(&ring.status());
    for (size_t i = 4; i < sizeof(RingStatus) / sizeof(uint64_t); ++i) words[i] = random();
    auto* data = reinterpret_cast<uint16_t*>(ring.data());
    for (size_t i = 0; i < kDataBytes / sizeof(uint16_t); ++i)
      data[i] = static_cast<uint16_t>(random() % 2 == 0 ? random() % 64 * 8 : random());
    ring.page().data_head = random() % 2 == 0 ? kDataBytes : random();
    EXPECT_TRUE(collector_->collect().ok());
  }
  EXPECT_EQ(collector_->live_processes(), 0u);
}

}  // namespace
}  // namespace hm::soft
