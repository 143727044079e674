// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/guest_engine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/characters.h"
#include "base/mapped_file.h"
#include "base/program_path.h"
#include "base/text_file.h"
#include "base/write_text.h"
#include "pmu/shell_status.h"
#include "pmu/soft/guest/guest_job.h"
#include "pmu/soft/guest/hypercall.h"
#include "pmu/soft/guest/session_link.h"
#include "pmu/soft/launcher/engine_folder.h"
#include "pmu/soft/launcher/kernel_image.h"
#include "pmu/soft/launcher/other_program.h"
#include "pmu/soft/launcher/ram_disk.h"

namespace hm::soft {
namespace {

constexpr char kPlugin[] = "hardmeter-guest.so", kInit[] = "hardmeter-guest-init";
constexpr char kQemu[] = "qemu-system-x86_64";
constexpr int kMinQemuVersion = 10;
// The guest's clock follows its instructions: at this machine's clock, timers would interrupt its programs
// dozens of times as often as they do on a real machine.
constexpr int kNsPerInstructionLog2 = 2;
constexpr char kImageName[] = "vmlinux", kRamDiskName[] = "initrd", kConsoleName[] = "console";

// Returns the first number of "QEMU emulator version 10.0.2 ..."; 0 if the program prints something else.
int version_of(const std::string& qemu) {
  int version = 0;
  std::string line = version_line(qemu);
  return std::sscanf(line.c_str(), "QEMU emulator version %d", &version) == 1 ? version : 0;
}

std::string text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

void add_item(std::string& job, guest::JobItem item, const std::string& value) {
  job += static_cast<char>(item);
  job += value;
  job += '\0';
}

std::vector<std::string> own_environment() {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) all.emplace_back(*each);
  return all;
}

std::vector<gid_t> own_groups() {
  std::vector<gid_t> groups(static_cast<size_t>(std::max(::getgroups(0, nullptr), 0)));
  int count = ::getgroups(static_cast<int>(groups.size()), groups.data());
  groups.resize(static_cast<size_t>(std::max(count, 0)));
  return groups;
}

// True if standard input is a pipe or a file: something that the program is meant to read.
bool has_input() {
  struct stat input {};
  if (::fstat(STDIN_FILENO, &input) != 0) return false;
  return S_ISFIFO(input.st_mode) || S_ISSOCK(input.st_mode) || (S_ISREG(input.st_mode) && input.st_size != 0);
}

std::string last_line_of(const std::string& path) {
  auto file = MappedFile::open(path);
  std::string text = file ? text_of(file->bytes()) : std::string();
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
  std::string line = text.substr(text.find_last_of('\n') + 1);
  return line.empty() ? "nothing" : escaped(line);
}

// File descriptors of QEMU for the input and output of the guest's program, above all that are open here.
constexpr int kInput = 200, kOutput = 201, kErrors = 202;

// QEMU gets pipes of its own: it would make hardmeter's output non-blocking, and refuses a terminal's.
struct Pipes {
  int input[2] = {-1, -1}, output[2] = {-1, -1}, errors[2] = {-1, -1};

  bool make() {
    return ::pipe2(input, O_CLOEXEC) == 0 && ::pipe2(output, O_CLOEXEC) == 0 &&
           ::pipe2(errors, O_CLOEXEC) == 0;
  }
  void close_ends_of_qemu() const {
    for (int each : {input[0], output[1], errors[1]}) ::close(each);
  }
};

[[noreturn]] void become_qemu(const std::vector<std::string>& words, const std::string& session_folder,
                              const std::string& console, const Pipes& pipes) {
  ::setpgid(0, 0);  // Ctrl-C is for hardmeter and the process that waits for QEMU
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setenv(guest::kSessionVariable, session_folder.c_str(), 1);
  ::dup2(pipes.input[0], kInput);
  ::dup2(pipes.output[1], kOutput);
  ::dup2(pipes.errors[1], kErrors);
  int nowhere = ::open("/dev/null", O_RDWR);
  int output = ::open(console.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(nowhere, STDIN_FILENO);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  std::vector<char*> arguments = pointers_to(words);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

// Copies the bytes that have arrived in `from`. Returns false at its end.
bool copy_some(int from, int to) {
  std::array<char, 65536> part{};
  ssize_t got = ::read(from, part.data(), part.size());
  for (ssize_t done = 0; done < got;) {
    ssize_t written = ::write(to, part.data() + done, static_cast<size_t>(got - done));
    if (written < 0 && errno != EINTR) return false;
    done += std::max<ssize_t>(written, 0);
  }
  return got > 0 || (got < 0 && errno == EINTR);
}

// Copies the input in another process, because writing it waits until the guest reads.
pid_t pass_on_input(const Pipes& pipes) {
  pid_t process = ::fork();
  if (process != 0) return process;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int each : {pipes.input[0], pipes.output[0], pipes.output[1], pipes.errors[0], pipes.errors[1]})
    ::close(each);
  while (copy_some(STDIN_FILENO, pipes.input[1])) {
  }
  ::_exit(0);
}

// Starts QEMU, passes on the output of the guest's program, and ends as QEMU does.
[[noreturn]] void run_qemu(const std::vector<std::string>& words, const std::string& session_folder,
                           const std::string& console) {
  constexpr int kFailed = 125;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  Pipes pipes;
  if (!pipes.make()) ::_exit(kFailed);
  pid_t qemu = ::fork();
  if (qemu < 0) ::_exit(kFailed);
  if (qemu == 0) become_qemu(words, session_folder, console, pipes);
  pid_t input = has_input() ? pass_on_input(pipes) : -1;
  ::close(pipes.input[1]);
  pipes.close_ends_of_qemu();
  pollfd polled[] = {{pipes.output[0], POLLIN, 0}, {pipes.errors[0], POLLIN, 0}};
  const int to[] = {STDOUT_FILENO, STDERR_FILENO};
  while (polled[0].fd >= 0 || polled[1].fd >= 0) {
    if (::poll(polled, std::size(polled), -1) < 0) continue;
    for (size_t i = 0; i < std::size(polled); ++i) {
      if (polled[i].revents != 0 && !copy_some(polled[i].fd, to[i])) polled[i].fd = -1;
    }
  }
  if (input > 0) ::kill(input, SIGKILL);
  int status = 0;
  while (::waitpid(qemu, &status, 0) < 0 && errno == EINTR) {
  }
  ::_exit(pmu::shell_status(status));
}

// QEMU separates the options of one word by commas.
std::string without_commas(std::string path) {
  for (size_t at = 0; (at = path.find(',', at)) != std::string::npos; at += 2) path.insert(at, 1, ',');
  return path;
}

}  // namespace

Result<std::string> GuestEngine::ram_disk(bool wants_tables, const std::string& program,
                                          const std::vector<std::string>& command,
                                          const std::vector<std::string>& environment) const {
  auto init = MappedFile::open(folder_ + "/" + kInit);
  if (!init) return init.error();
  RamDisk disk;
  std::string job;
  disk.add_program("init", text_of(init->bytes()));
  disk.add_folder("hardmeter");
  for (const KernelModule& each : kernel_.modules) {
    std::string path = fmt::format("hardmeter/{}.ko", each.name);
    disk.add_file(path, text_of(each.image));
    add_item(job, guest::kModule, "/" + path);
  }
  std::error_code error;
  add_item(job, guest::kProgram, std::filesystem::absolute(program, error));
  for (const std::string& each : command) add_item(job, guest::kArgument, each);
  for (const std::string& each : environment.empty() ? own_environment() : environment)
    add_item(job, guest::kEnvironment, each);
  add_item(job, guest::kFolder, std::filesystem::current_path(error));
  add_item(job, guest::kUser, std::to_string(::geteuid()));
  add_item(job, guest::kGroup, std::to_string(::getegid()));
  for (gid_t each : own_groups()) add_item(job, guest::kMoreGroups, std::to_string(each));
  if (has_input()) add_item(job, guest::kInput, "");
  if (wants_tables) add_item(job, guest::kTables, "");
  disk.add_file("hardmeter/job", job);
  return disk.finish();
}

// Returns the path of a kernel that needs no boot loader, in the session's folder; if it cannot be made, that
// of the kernel.
std::string GuestEngine::startable_image(const std::string& session_folder) const {
  auto file = MappedFile::open(kernel_.image);
  if (!file) return kernel_.image;
  Result<std::vector<std::byte>> startable = startable_kernel(file->bytes());
  if (!startable) return kernel_.image;
  std::string path = session_folder + "/" + kImageName;
  std::string_view text(reinterpret_cast<const char*>(startable->data()), startable->size());
  return write_text(path, text, 0600) ? path : kernel_.image;
}

std::vector<std::string> GuestEngine::qemu_command(const std::string& session_folder,
                                                   const std::string& image) const {
  const auto port = [](const char* id, int set, const char* name) {
    return std::vector<std::string>{"-chardev",
                                    fmt::format("file,id={},path=/dev/fdset/{},append=on", id, set),
                                    "-device", fmt::format("virtserialport,chardev={},name={}", id, name)};
  };
  std::vector<std::string> words{
      qemu_,
      "-nodefaults",
      "-no-user-config",
      "-display",
      "none",
      "-no-reboot",
      "-accel",
      "tcg,thread=single",
      "-icount",
      fmt::format("shift={},sleep=off", kNsPerInstructionLog2),
      "-machine",
      "q35,memory-backend=ram",
      "-cpu",
      "max,la57=off",
      "-smp",
      std::to_string(options_.cpus),
      "-m",
      fmt::format("{}M", options_.memory_mib),
      "-object",
      fmt::format("memory-backend-memfd,id=ram,size={}M", options_.memory_mib),
      "-kernel",
      image,
      "-initrd",
      session_folder + "/" + kRamDiskName,
      "-append",
      "console=ttyS0 quiet loglevel=3 panic=-1 mitigations=off nokaslr tsc=reliable no_timer_check",
      "-serial",
      "chardev:console",
      "-fsdev",
      "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap",
      "-device",
      fmt::format("virtio-9p-pci,fsdev=root,mount_tag={}", guest::kRootTag),
      "-device",
      "virtio-serial-pci",
      "-add-fd",
      fmt::format("fd={},set=3", kInput),
      "-chardev",
      "file,id=in,path=/dev/null,input-path=/dev/fdset/3",
      "-device",
      fmt::format("virtserialport,chardev=in,name={}", guest::kInputPort),
      "-add-fd",
      fmt::format("fd={},set=1", kOutput),
      "-add-fd",
      fmt::format("fd={},set=2", kErrors),
      "-device",
      fmt::format("isa-debug-exit,iobase={:#x},iosize=1", guest::kExitPort),
      "-plugin",
      without_commas(folder_ + "/" + kPlugin)};
  words.insert(words.end(), {"-chardev", fmt::format("file,id=console,path={}/{},append=on", session_folder,
                                                     kConsoleName)});
  for (const auto& each : {port("out", 1, guest::kOutputPort), port("err", 2, guest::kErrorPort)})
    words.insert(words.end(), each.begin(), each.end());
  return words;
}

bool GuestEngine::knows_event(event::EventId id) const {
  using enum event::EventId;
  bool is_of_instructions = id == kInstrRetired || (id >= kMemoryLoads && id <= kMemoryMoves);
  bool is_of_caches = id >= kL1CacheMiss && id <= kItlbMiss && id != kMobLoadReplayRetired;
  bool is_wait = id >= kMemoryWait && id != kBranchWait;
  return is_of_instructions || is_of_caches || is_wait;
}

std::function<std::optional<std::string>(const std::string& path)> GuestEngine::kernel_files() const {
  return [folder = session_folder_](const std::string& path) -> std::optional<std::string> {
    if (path == guest::kCodePath) return read_text(folder + "/" + guest::kCodeName, guest::kMaxTableBytes);
    const auto* found = std::ranges::find(guest::kTablePaths, path);
    if (found == std::end(guest::kTablePaths)) return std::nullopt;
    return read_text(folder + "/" + guest::kTableNames[found - guest::kTablePaths], guest::kMaxTableBytes);
  };
}

// Called when QEMU has ended. It ends early if the kernel does not boot or finds no room.
bool GuestEngine::take_status(Session& session, pid_t pid, int status) {
  if (pid != qemu_process_ || session.guest_ended != 0 || WIFSIGNALED(status)) return false;
  shortfalls_.push_back(fmt::format("the guest ended before its program did; its console ends with: {}",
                                    last_line_of(console_)));
  return false;
}

Result<pid_t> GuestEngine::start(Session& session, const std::string& session_folder,
                                 const std::string& program, const std::vector<std::string>& command,
                                 const std::vector<std::string>& environment) {
  bool takes_samples =
      std::ranges::any_of(session.events, [](const auto& each) { return each.sampled != 0; });
  auto disk = ram_disk(takes_samples, program, command, environment);
  if (!disk) return disk.error();
  // The RAM disk has the environment: only the user may read it.
  if (Status written = write_text(session_folder + "/" + kRamDiskName, *disk, 0600); !written)
    return written.error();
  std::vector<std::string> words = qemu_command(session_folder, startable_image(session_folder));
  pid_t child = ::fork();
  if (child < 0) return make_error(ErrorCode::kIo, "cannot start {}: {}", qemu_, errno_text(errno));
  session_folder_ = session_folder;
  console_ = session_folder + "/" + kConsoleName;
  if (child == 0) run_qemu(words, session_folder, console_);
  return qemu_process_ = child;
}

Result<std::unique_ptr<Engine>> find_guest_engine(const GuestOptions& options) {
  auto folder = engine_folder(kPlugin);
  if (!folder) return folder.error();
  auto qemu = find_program(kQemu);
  int version = qemu ? version_of(*qemu) : 0;
  if (version < kMinQemuVersion)
    return make_error(
        ErrorCode::kNotFound,
        "a guest needs QEMU {} or later, and {}: apt install -t bookworm-backports qemu-system-x86 installs it on Debian 12, apt install qemu-system-x86 on later releases",
        kMinQemuVersion,
        !qemu ? fmt::format("{} is not in PATH", kQemu) : fmt::format("{} is version {}", *qemu, version));
  auto kernel = find_guest_kernel(options.kernel);
  if (!kernel) return kernel.error();
  return std::unique_ptr<Engine>(std::make_unique<GuestEngine>(options, *qemu, *folder, *std::move(kernel)));
}

}  // namespace hm::soft
