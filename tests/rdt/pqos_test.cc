// SPDX-License-Identifier: MIT
// Debian's pqos (package intel-cmt-cat) works on the same file system, and prints the same values.
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "base/text_file.h"
#include "base/wait_until.h"
#include "pmu/rdt/l3_caches.h"
#include "rdt/mounted_resctrl.h"

namespace hm::rdt_test {
namespace {

using rdt::ForeignGroup;
using rdt::Provider;
using ::testing::Each;
using ::testing::HasSubstr;

constexpr const char* kPqos = "/usr/sbin/pqos";
constexpr const char* kWherePqosLooks = "/sys/fs/resctrl";

// The folder, and its name in /proc/filesystems, exist only if the kernel has resctrl. In this mount
// namespace a folder and a file replace them. Returns "", or the reason for a failure.
std::string prepare_for_pqos(const std::string& list_of_filesystems) {
  if (::access(kPqos, X_OK) != 0) return "there is no pqos (package intel-cmt-cat)";
  if (rdt::l3_caches().empty())
    return "pqos refuses a machine whose third-level cache /sys does not describe";
  if (std::string failure = have_own_mounts(); !failure.empty()) return failure;
  if (::mount("none", "/sys/fs", "tmpfs", 0, nullptr) != 0 || ::mkdir(kWherePqosLooks, 0755) != 0)
    return "/sys/fs cannot be another one here: " + errno_text(errno);
  std::ofstream(list_of_filesystems) << read_text("/proc/filesystems").value_or("") << "nodev\tresctrl\n";
  if (::mount(list_of_filesystems.c_str(), "/proc/filesystems", nullptr, MS_BIND, nullptr) != 0)
    return "/proc/filesystems cannot be another one here: " + errno_text(errno);
  return {};
}

// Runs pqos, which writes the last-level cache occupancy of a process to a file.
class Pqos {
 public:
  Pqos(pid_t process, const std::string& csv, const std::string& log) : pid_(::fork()) {
    if (pid_ != 0) return;
    int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    ::dup2(file, 1);
    ::dup2(file, 2);
    ::execl(kPqos, kPqos, "--iface=os", "--disable-mon-ipc", "--disable-mon-llc_miss", "-i", "1", "-u", "csv",
            "-o", csv.c_str(), "-p", ("llc:" + std::to_string(process)).c_str(), nullptr);
    ::_exit(127);
  }
  Pqos(const Pqos&) = delete;
  Pqos& operator=(const Pqos&) = delete;
  ~Pqos() { (void)end(SIGKILL); }

  [[nodiscard]] bool has_ended() {
    if (pid_ != 0 && ::waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = 0;
    return pid_ == 0;
  }
  int end(int signal) {
    if (pid_ != 0) {
      ::kill(pid_, signal);
      ::waitpid(pid_, &status_, 0);
      pid_ = 0;
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
  }

 private:
  pid_t pid_;
  int status_ = 0;
};

class WithPqos : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string failure = prepare_for_pqos(folder.file("filesystems"));
    if (failure.empty()) {
      // pqos reads the caches listed in /sys, whatever the file system has.
      int domains = static_cast<int>(rdt::l3_caches().back().id) + 1;
      mount = std::make_unique<ResctrlMount>(
          MountOptions{.root = kWherePqosLooks, .ids = 16, .domains = domains, .control_ids = 4});
      failure = mount->failure();
    }
    if (!failure.empty()) GTEST_SKIP() << "NOT TESTED: " << failure;
  }
  void TearDown() override {
    mount.reset();
    ::umount2("/sys/fs", MNT_DETACH);
    ::umount2("/proc/filesystems", MNT_DETACH);
  }

  // Returns the group that pqos has made for a thread; nullopt before.
  static std::optional<ForeignGroup> group_with(Provider& provider, pid_t thread) {
    for (ForeignGroup& group : provider.foreign_groups()) {
      if (group.name.find("mon_groups/") != group.name.npos && group.threads == std::vector{thread})
        return group;
    }
    return std::nullopt;
  }

  TemporaryFolder folder;
  std::unique_ptr<ResctrlMount> mount;
};

TEST_F(WithPqos, SaysTheSameOfAProcess) {
  constexpr uint64_t kBytes = uint64_t{7} << 20;
  constexpr const char* kAsPqosPrintsIt = ",7168.0\n";
  Sleeper sleeper, ours;
  auto provider = rdt::open_resctrl(mount->places());
  ASSERT_TRUE(provider.ok()) << provider.error().message;
  auto our_group = (*provider)->watch({.threads = {ours.pid()}, .cpus = {}});
  ASSERT_TRUE(our_group.ok());
  Pqos pqos(sleeper.pid(), folder.file("csv"), folder.file("log"));
  std::optional<ForeignGroup> theirs;
  ASSERT_TRUE(
      wait_until([&] { return pqos.has_ended() || (theirs = group_with(**provider, sleeper.pid())); }));
  ASSERT_TRUE(theirs) << read_text(folder.file("log")).value_or("");
  mount->values(theirs->name + " 0 llc_occupancy " + std::to_string(kBytes) + '\n');
  EXPECT_TRUE(wait_until([&] {
    std::string lines = read_text(folder.file("csv")).value_or("");
    return pqos.has_ended() || lines.find(kAsPqosPrintsIt) != lines.npos;
  }));
  theirs = group_with(**provider, sleeper.pid());
  ASSERT_TRUE(theirs) << read_text(folder.file("log")).value_or("");
  ASSERT_FALSE(theirs->readings.empty());
  EXPECT_EQ(theirs->readings[0].occupancy_bytes, kBytes);
  EXPECT_EQ((*our_group)->read()[0].occupancy_bytes, 0u);
  EXPECT_EQ((*our_group)->add(sleeper.pid()).error().code, ErrorCode::kUnsupported) << "it is pqos's";
  EXPECT_EQ(pqos.end(SIGINT), 0) << read_text(folder.file("log")).value_or("");
  EXPECT_FALSE(group_with(**provider, sleeper.pid())) << "pqos has removed its group";
  our_group->reset();
  EXPECT_THAT(mount->groups(), Each(HasSubstr("COS"))) << "pqos has made control groups, and leaves them";
}

}  // namespace
}  // namespace hm::rdt_test
