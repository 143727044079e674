// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/guest_engine.h"

#include <fmt/format.h>
#include <grp.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/characters.h"
#include "base/hex.h"
#include "base/mapped_file.h"
#include "base/program_path.h"
#include "base/text_file.h"
#include "base/write_text.h"
#include "pmu/soft/guest/guest_job.h"
#include "pmu/soft/guest/hypercall.h"
#include "pmu/soft/guest/session_link.h"
#include "pmu/soft/launcher/engine_folder.h"
#include "pmu/soft/launcher/guest_process.h"
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
// Self-tests of the cryptography take a third of the boot.
constexpr char kKernelOptions[] =
    "console=ttyS0 quiet loglevel=3 panic=-1 mitigations=off nokaslr tsc=reliable no_timer_check cryptomgr.notests";
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

// What tells a file from others, and from what it was before.
std::string identity(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return path + "\n";
  return fmt::format("{} {} {}.{}\n", path, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

std::string random_characters() {
  std::array<std::byte, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  return hex_of(bytes);
}

uint64_t wall_clock_ns() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
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

std::string last_line_of(const std::string& path) {
  auto file = MappedFile::open(path);
  std::string text = file ? text_of(file->bytes()) : std::string();
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
  std::string line = text.substr(text.find_last_of('\n') + 1);
  return line.empty() ? "nothing" : escaped(line);
}

// QEMU separates the options of one word by commas.
std::string without_commas(std::string path) {
  for (size_t at = 0; (at = path.find(',', at)) != std::string::npos; at += 2) path.insert(at, 1, ',');
  return path;
}

}  // namespace

Result<std::string> GuestEngine::ram_disk(bool has_tables) const {
  auto init = MappedFile::open(folder_ + "/" + kInit);
  if (!init) return init.error();
  RamDisk disk;
  std::string modules;
  disk.add_program("init", text_of(init->bytes()));
  disk.add_folder("hardmeter");
  for (const KernelModule& each : kernel_.modules) {
    std::string path = fmt::format("hardmeter/{}.ko", each.name);
    disk.add_file(path, text_of(each.image));
    modules += "/" + path + "\n";
  }
  disk.add_file(guest::kModulesPath + 1, modules);
  if (has_tables) disk.add_file(guest::kTablesPath + 1, {});
  return disk.finish();
}

std::string GuestEngine::job(const std::string& program, const std::vector<std::string>& command,
                             const std::vector<std::string>& environment) {
  std::string job;
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
  add_item(job, guest::kRandom, random_characters());
  add_item(job, guest::kTime, std::to_string(wall_clock_ns()));
  add_item(job, guest::kJobEnd, "");
  return job;
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

std::vector<std::string> GuestEngine::qemu_command(const std::string& session_folder) const {
  const auto port = [](const char* id, int set, const char* name) {
    return std::vector<std::string>{"-chardev",
                                    fmt::format("file,id={},path=/dev/fdset/{},append=on", id, set),
                                    "-device", fmt::format("virtserialport,chardev={},name={}", id, name)};
  };
  std::vector<std::string> words{qemu_,
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
                                 "-serial",
                                 "chardev:console",
                                 "-chardev",
                                 fmt::format("socket,id=job,fd={}", kJobSocket),
                                 "-chardev",
                                 fmt::format("socket,id=monitor,fd={}", kMonitorSocket),
                                 "-mon",
                                 "chardev=monitor,mode=control",
                                 "-fsdev",
                                 "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap",
                                 "-device",
                                 fmt::format("virtio-9p-pci,fsdev=root,mount_tag={}", guest::kRootTag),
                                 "-device",
                                 "virtio-serial-pci",
                                 "-device",
                                 fmt::format("virtserialport,chardev=job,name={}", guest::kJobPort),
                                 "-add-fd",
                                 fmt::format("fd={},set=3", kGuestInput),
                                 "-chardev",
                                 "file,id=in,path=/dev/null,input-path=/dev/fdset/3",
                                 "-device",
                                 fmt::format("virtserialport,chardev=in,name={}", guest::kInputPort),
                                 "-add-fd",
                                 fmt::format("fd={},set=1", kGuestOutput),
                                 "-add-fd",
                                 fmt::format("fd={},set=2", kGuestErrors),
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

// A saved guest continues only in a machine as that in which it was saved.
GuestSnapshot GuestEngine::snapshot(const std::string& ram_disk) const {
  if (options_.always_boots) return {};
  std::string machine = identity(qemu_) + identity(kernel_.image) + kKernelOptions + ram_disk;
  for (const std::string& each : qemu_command("")) machine += each + '\n';
  return {snapshot_folder(), machine};
}

// Unpacking the kernel takes a second, and is not needed if a saved guest continues. Without a RAM disk, the
// kernel prints what it lacks.
std::vector<std::string> GuestEngine::boot_words(const std::string& session_folder,
                                                 const std::string& ram_disk) const {
  std::string path = session_folder + "/" + kRamDiskName;
  static_cast<void>(write_text(path, ram_disk, 0600));
  return {"-kernel", startable_image(session_folder), "-initrd", path, "-append", kKernelOptions};
}

Result<pid_t> GuestEngine::start(Session& session, const std::string& session_folder,
                                 const std::string& program, const std::vector<std::string>& command,
                                 const std::vector<std::string>& environment) {
  bool takes_samples =
      std::ranges::any_of(session.events, [](const auto& each) { return each.sampled != 0; });
  // A guest that is saved passes on its tables before, for all who will continue it.
  bool is_saved = !options_.always_boots && !snapshot_folder().empty();
  auto disk = ram_disk(takes_samples || is_saved);
  if (!disk) return disk.error();
  session_folder_ = session_folder;
  console_ = session_folder + "/" + kConsoleName;
  snapshot_ = snapshot(*disk);
  pid_t child = ::fork();
  if (child < 0) return make_error(ErrorCode::kIo, "cannot start {}: {}", qemu_, errno_text(errno));
  if (child == 0)
    run_guest({.words = qemu_command(session_folder),
               .boot_words = [&] { return boot_words(session_folder, *disk); },
               .session_folder = session_folder,
               .console = console_,
               .job = job(program, command, environment),
               .snapshot = snapshot_});
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
