// SPDX-License-Identifier: MIT
#include "rdt/resctrl_mount.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>

#include "base/text_file.h"
#include "base/unique_fd.h"
#include "base/wait_until.h"

namespace hm::rdt_test {
namespace {

// Forks a child that is killed at any end of this process; returns like fork().
pid_t fork_to_end_together() {
  pid_t parent = ::getpid(), child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // the parent had ended before
  return 0;
}

void wait_to_be_killed() {
  for (;;) ::pause();
}

void kill_and_wait(pid_t& pid) {
  if (pid == 0) return;
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  pid = 0;
}

pid_t start_server(const std::string& root, const std::string& values, const MountOptions& options) {
  std::string ids = std::to_string(options.ids), domains = std::to_string(options.domains),
              control_ids = std::to_string(options.control_ids);
  pid_t server = fork_to_end_together();
  if (server != 0) return server;
  ::execl(HM_RESCTRL_FILESYSTEM, HM_RESCTRL_FILESYSTEM, root.c_str(), ids.c_str(), domains.c_str(),
          values.c_str(), control_ids.c_str(), nullptr);
  ::_exit(127);
}

}  // namespace

std::string have_own_mounts() {
  if (::unshare(CLONE_NEWNS) != 0) return "no mount namespace can be made here: " + errno_text(errno);
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return "mounts cannot be made private here: " + errno_text(errno);
  return {};
}

ResctrlMount::ResctrlMount(const MountOptions& options)
    : root_(options.root.empty() ? folder_.file("resctrl") : options.root) {
  failure_ = have_own_mounts();
  if (!failure_.empty()) return;
  ::chmod(folder_.file("").c_str(), 0755);
  ::mkdir(root_.c_str(), 0755);
  ::mkdir(file("empty").c_str(), 0755);
  values("");
  server_ = start_server(root_, file("values"), options);
  bool ended = false;
  bool mounted = wait_until([&] {
    ended = ::waitpid(server_, nullptr, WNOHANG) == server_;
    return ended || ::access((root_ + "/tasks").c_str(), F_OK) == 0;
  });
  if (!ended && mounted) return;
  if (ended) server_ = 0;
  failure_ = "a FUSE file system cannot be mounted here (is there a /dev/fuse?)";
}

ResctrlMount::~ResctrlMount() {
  unmount();
  kill_and_wait(server_);
}

void ResctrlMount::unmount() {
  if (server_ != 0) ::umount2(root_.c_str(), MNT_DETACH);
}

rdt::ResctrlPlaces ResctrlMount::places() const {
  return {.root = root_, .cpus = "/sys/devices/system/cpu", .proc = root_ + "/.proc"};
}

void ResctrlMount::values(const std::string& lines) {
  // Each version has another size, so that the file server notices the change.
  std::ofstream(file("values.new")) << lines << std::string(++versions_, '\n');
  ::rename(file("values.new").c_str(), file("values").c_str());
}

std::vector<std::string> ResctrlMount::groups() const {
  std::vector<std::string> found;
  const auto add = [&](const std::string& folder) {
    for (const std::string& name : rdt::folders_in(root_ + '/' + folder)) {
      bool is_group = !folder.empty() || (name != "info" && name != "mon_data" && name != "mon_groups");
      if (is_group) found.push_back(folder + name);
    }
  };
  add("mon_groups/");
  add("");
  for (const std::string& control : std::vector(found)) {
    if (control.find('/') == control.npos) add(control + "/mon_groups/");
  }
  return found;
}

std::string ResctrlMount::text(const std::string& path) const {
  return read_text(root_ + '/' + path).value_or("cannot be read");
}

int ResctrlMount::write(const std::string& path, const std::string& text) const {
  UniqueFd opened(::open((root_ + '/' + path).c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  return ::write(opened.get(), text.data(), text.size()) < 0 ? errno : 0;
}

int ResctrlMount::make(const std::string& group) const {
  return ::mkdir((root_ + '/' + group).c_str(), 0755) == 0 ? 0 : errno;
}

int ResctrlMount::remove(const std::string& group) const {
  return ::rmdir((root_ + '/' + group).c_str()) == 0 ? 0 : errno;
}

Sleeper::Sleeper() : pid_(fork_to_end_together()) {
  if (pid_ != 0) return;
  wait_to_be_killed();
}

void Sleeper::end() { kill_and_wait(pid_); }

Parent::Parent() {
  int orders[2], answers[2];
  if (::pipe2(orders, O_CLOEXEC) != 0 || ::pipe2(answers, O_CLOEXEC) != 0) return;
  pid_ = fork_to_end_together();
  if (pid_ == 0) {
    for (char order = 0; ::read(orders[0], &order, 1) == 1;) {
      pid_t child = fork_to_end_together();
      if (child == 0) {
        wait_to_be_killed();
      }
      if (::write(answers[1], &child, sizeof(child)) < 0) break;
    }
    wait_to_be_killed();
  }
  ::close(orders[0]);
  ::close(answers[1]);
  orders_ = orders[1];
  answers_ = answers[0];
}

Parent::~Parent() {
  kill_and_wait(pid_);
  ::close(orders_);
  ::close(answers_);
}

pid_t Parent::start_child() {
  pid_t child = 0;
  bool answered = ::write(orders_, "", 1) == 1 && ::read(answers_, &child, sizeof(child)) == sizeof(child);
  return answered ? child : -1;
}

int status_in_child(const std::function<int()>& body) {
  pid_t child = fork_to_end_together();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Holder::Holder(const std::function<void(const std::function<void()>& done)>& body) {
  int ready[2];
  if (::pipe2(ready, O_CLOEXEC) != 0) return;
  pid_ = fork_to_end_together();
  if (pid_ == 0) {
    ::close(ready[0]);
    body([&] {
      (void)!::write(ready[1], "", 1);
      wait_to_be_killed();
    });
    ::_exit(1);
  }
  ::close(ready[1]);
  char byte = 0;
  (void)!::read(ready[0], &byte, 1);
  ::close(ready[0]);
}

void Holder::kill() { kill_and_wait(pid_); }

}  // namespace hm::rdt_test
