// SPDX-License-Identifier: MIT
// The first process of a guest. It loads the kernel's modules for the host's files, passes on the kernel's
// tables, and waits for its job. Then it mounts the host's files below an overlay in memory, runs one program
// with the user's IDs, and ends the guest with the program.
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/random.h>
#include <poll.h>
#include <sched.h>
#include <sys/io.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sstream>
#include <string>
#include <vector>

#include "pmu/soft/guest/guest_job.h"
#include "pmu/soft/guest/hypercall.h"

namespace hm::soft::guest {
namespace {

[[noreturn]] void end_guest() {
  if (::iopl(3) == 0) outb(0, kExitPort);
  ::reboot(RB_POWER_OFF);
  while (true) ::pause();
}

// Messages go to the guest's console. hardmeter prints its last line, because no program has ended.
[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "hardmeter: in the guest: %s: %s\n", what.c_str(), std::strerror(errno));
  end_guest();
}

struct Job {
  std::vector<std::string> arguments, environment;
  std::vector<gid_t> groups;
  std::string program, folder, random;
  uint64_t time_ns = 0;
  bool has_input = false;
  uid_t user = 0;
  gid_t group = 0;
};

// Empty if the file cannot be read.
std::string text_of(const std::string& path) {
  std::string text;
  std::array<char, 65536> part{};
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  for (ssize_t got; (got = ::read(file, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<size_t>(got));
  ::close(file);
  return text;
}

Job parse_job(const std::string& text) {
  Job job;
  for (size_t at = 0; at < text.size();) {
    std::string item(text.c_str() + at);
    at += item.size() + 1;
    std::string value = item.substr(1);
    switch (item[0]) {
      case kProgram:
        job.program = value;
        break;
      case kArgument:
        job.arguments.push_back(value);
        break;
      case kEnvironment:
        job.environment.push_back(value);
        break;
      case kFolder:
        job.folder = value;
        break;
      case kUser:
        job.user = static_cast<uid_t>(std::stoul(value));
        break;
      case kGroup:
        job.group = static_cast<gid_t>(std::stoul(value));
        break;
      case kMoreGroups:
        job.groups.push_back(static_cast<gid_t>(std::stoul(value)));
        break;
      case kInput:
        job.has_input = true;
        break;
      case kTime:
        job.time_ns = std::stoull(value);
        break;
      case kRandom:
        job.random = value;
        break;
      default:
        break;
    }
  }
  return job;
}

void load_module(const std::string& path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 || (::syscall(SYS_finit_module, file, "", 0) != 0 && errno != EEXIST)) fail(path);
  ::close(file);
}

void mount_at(const char* source, const std::string& target, const char* type, unsigned long flags = 0,
              const char* options = nullptr) {
  ::mkdir(target.c_str(), 0755);
  if (::mount(source, target.c_str(), type, flags, options) != 0) fail("mount " + target);
}

// The host's files, read only, below an overlay in memory, for all writes.
void mount_root() {
  constexpr char kOptions[] = "trans=virtio,version=9p2000.L,cache=loose,msize=524288";
  mount_at(kRootTag, kHostsRoot, "9p", MS_RDONLY, kOptions);
  mount_at("overlay", "/writes", "tmpfs");
  ::mkdir("/writes/upper", 0755);
  ::mkdir("/writes/work", 0755);
  mount_at("overlay", "/root", "overlay", 0, "lowerdir=/host,upperdir=/writes/upper,workdir=/writes/work");
  mount_at("devtmpfs", "/root/dev", "devtmpfs");
  mount_at("proc", "/root/proc", "proc");
  mount_at("sysfs", "/root/sys", "sysfs");
  mount_at("devpts", "/root/dev/pts", "devpts", 0, "ptmxmode=0666");
  mount_at("tmpfs", "/root/dev/shm", "tmpfs", 0, "mode=1777");
}

// Opens the port with this name. The kernel makes ports some time after it has found their device.
int open_port(const std::string& name, int flags) {
  constexpr char kPorts[] = "/sys/class/virtio-ports";
  constexpr int kMaxLooks = 500;
  constexpr useconds_t kBetweenUs = 10'000;
  for (int look = 0; look < kMaxLooks; ++look) {
    DIR* ports = ::opendir(kPorts);
    int opened = -1;
    while (dirent* each = ports == nullptr ? nullptr : ::readdir(ports)) {
      std::string folder = std::string(kPorts) + "/" + each->d_name;
      if (text_of(folder + "/name") == name + "\n")
        opened = ::open((std::string("/dev/") + each->d_name).c_str(), flags | O_CLOEXEC);
    }
    if (ports != nullptr) ::closedir(ports);
    if (opened >= 0) return opened;
    ::usleep(kBetweenUs);
  }
  fail("port " + name);
}

void write_all(int file, const char* bytes, size_t count) {
  while (count > 0) {
    ssize_t written = ::write(file, bytes, count);
    if (written < 0 && errno != EINTR) return;
    if (written > 0) bytes += written, count -= static_cast<size_t>(written);
  }
}

Job receive_job() {
  constexpr useconds_t kBetweenUs = 10'000;
  int port = open_port(kJobPort, O_RDWR);
  const char answers[] = {kWaits, kHasJob};
  write_all(port, &answers[0], 1);
  std::string text;
  std::array<char, 65536> part{};
  while (!text.ends_with(kLastBytes)) {
    ssize_t got = ::read(port, part.data(), part.size());
    if (got > 0) text.append(part.data(), static_cast<size_t>(got));
    if (got == 0) ::usleep(kBetweenUs);  // nobody holds the port's other end yet
    if (got < 0 && errno != EINTR) fail("the job's port");
  }
  write_all(port, &answers[1], 1);
  ::close(port);
  return parse_job(text);
}

// A saved guest continues with the clock and the random numbers with which it was saved.
void renew(const Job& job) {
  constexpr uint64_t kSecondNs = 1'000'000'000;
  timespec now{static_cast<time_t>(job.time_ns / kSecondNs), static_cast<long>(job.time_ns % kSecondNs)};
  ::clock_settime(CLOCK_REALTIME, &now);
  std::vector<char> entropy(sizeof(rand_pool_info) + job.random.size());
  rand_pool_info head{};
  head.buf_size = static_cast<int>(job.random.size());
  head.entropy_count = head.buf_size * 4;  // a hexadecimal digit has four bits
  std::memcpy(entropy.data(), &head, sizeof(head));
  std::memcpy(entropy.data() + sizeof(head), job.random.data(), job.random.size());
  int device = ::open("/dev/urandom", O_RDWR | O_CLOEXEC);
  ::ioctl(device, RNDADDENTROPY, entropy.data());
  ::ioctl(device, RNDRESEEDCRNG);
  ::close(device);
}

// A pipe that the program writes to, and the port for its contents.
struct Output {
  int from, to;
};

// Forwards outputs until the program has ended, and then what it has written. Processes that it leaves behind
// may hold its pipes open.
void forward(std::vector<Output> outputs, int program) {
  std::array<char, 65536> part{};
  bool has_ended = false;
  while (true) {
    std::vector<pollfd> polled;
    polled.reserve(outputs.size() + 1);
    for (const Output& each : outputs) polled.push_back({each.from, POLLIN, 0});
    if (!has_ended) polled.push_back({program, POLLIN, 0});
    int ready = ::poll(polled.data(), polled.size(), has_ended ? 0 : -1);
    if (ready < 0) continue;
    if (ready == 0) return;
    for (size_t i = outputs.size(); i-- > 0;) {
      if (polled[i].revents == 0) continue;
      ssize_t got = ::read(polled[i].fd, part.data(), part.size());
      if (got > 0) write_all(outputs[i].to, part.data(), static_cast<size_t>(got));
      if (got == 0) outputs.erase(outputs.begin() + static_cast<ptrdiff_t>(i));
    }
    if (!has_ended && polled.back().revents != 0) {
      has_ended = true;
      hypercall(Hypercall::kPause);
    }
  }
}

// Files that do not exist have no bytes.
void pass_on_tables() {
  for (uint64_t table = 0; table < kKernelTables; ++table) {
    std::string text = text_of(kTablePaths[table]);
    hypercall(Hypercall::kTable, table, reinterpret_cast<uint64_t>(text.data()), text.size());
  }
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& each : strings) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void become_program(Job& job) {
  std::vector<char*> arguments = pointers_to(job.arguments), environment = pointers_to(job.environment);
  bool is_user = ::setgroups(job.groups.size(), job.groups.data()) == 0 && ::setgid(job.group) == 0 &&
                 ::setuid(job.user) == 0;
  if (!is_user || ::chdir(job.folder.c_str()) != 0) {
    std::fprintf(stderr, "hardmeter: in the guest: %s: %s\n", job.folder.c_str(), std::strerror(errno));
    ::_exit(126);
  }
  ::personality(ADDR_NO_RANDOMIZE);  // as under the other engines: equal runs have equal addresses
  hypercall(Hypercall::kBegin);
  ::sched_yield();
  ::execve(job.program.c_str(), arguments.data(), environment.data());
  std::fprintf(stderr, "hardmeter: in the guest: cannot run %s: %s\n", job.program.c_str(),
               std::strerror(errno));
  ::_exit(errno == ENOENT ? 127 : 126);
}

int shell_status(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

int run_program(Job& job) {
  int out = open_port(kOutputPort, O_WRONLY), err = open_port(kErrorPort, O_WRONLY);
  int in = job.has_input ? open_port(kInputPort, O_RDONLY) : ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  int out_pipe[2], err_pipe[2];
  if (::pipe2(out_pipe, O_CLOEXEC) != 0 || ::pipe2(err_pipe, O_CLOEXEC) != 0) fail("pipe");
  pid_t program = ::fork();
  if (program < 0) fail("fork");
  if (program == 0) {
    ::dup2(in, STDIN_FILENO);
    ::dup2(out_pipe[1], STDOUT_FILENO);
    ::dup2(err_pipe[1], STDERR_FILENO);
    become_program(job);
  }
  for (int each : {in, out_pipe[1], err_pipe[1]}) ::close(each);
  int handle = static_cast<int>(::syscall(SYS_pidfd_open, program, 0));
  if (handle < 0) fail("pidfd_open");
  forward({{out_pipe[0], out}, {err_pipe[0], err}}, handle);
  int status = 0;
  while (::waitpid(program, &status, 0) < 0 && errno == EINTR) {
  }
  return shell_status(status);
}

void load_modules() {
  std::istringstream paths(text_of(kModulesPath));
  for (std::string path; std::getline(paths, path);) load_module(path);
}

int run() {
  mount_at("devtmpfs", "/dev", "devtmpfs");
  mount_at("proc", "/proc", "proc");
  mount_at("sysfs", "/sys", "sysfs");
  load_modules();
  if (::access(kTablesPath, F_OK) == 0) pass_on_tables();
  Job job = receive_job();
  renew(job);
  mount_root();
  if (::chroot("/root") != 0 || ::chdir("/") != 0) fail("chroot");
  return run_program(job);
}

}  // namespace
}  // namespace hm::soft::guest

int main() {
  using namespace hm::soft::guest;
  hypercall(Hypercall::kEnd, static_cast<uint64_t>(run()));
  end_guest();
}
