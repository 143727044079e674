// SPDX-License-Identifier: MIT
// The file system of EmulatedRegisters.
#define FUSE_USE_VERSION 35
#include <fmt/format.h>
#include <fuse.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "base/result.h"
#include "pqos/emulated_registers.h"

namespace hm::pqos_test {
namespace {

EmulatedRegisters& registers() {
  return *static_cast<EmulatedRegisters*>(::fuse_get_context()->private_data);
}

// Returns the CPU of the folder at the beginning of `path`; `rest` is the remaining path.
std::optional<unsigned> cpu_of(const char* path, std::string_view& rest) {
  unsigned cpu = 0;
  int bytes = 0;
  if (std::sscanf(path, "/%u%n", &cpu, &bytes) != 1 || cpu >= kCpus) return std::nullopt;
  rest = path + bytes;
  return cpu;
}

// Returns the CPU of the register file itself.
std::optional<unsigned> cpu_of_file(const char* path) {
  std::string_view rest;
  std::optional<unsigned> cpu = cpu_of(path, rest);
  return rest == "/msr" ? cpu : std::nullopt;
}

int get_attributes(const char* path, struct stat* attributes, fuse_file_info*) {
  *attributes = {};
  std::string_view rest;
  bool is_root = std::string_view(path) == "/";
  if (is_root || (registers().has_files() && cpu_of(path, rest) && rest.empty())) {
    attributes->st_mode = S_IFDIR | 0755;
    attributes->st_nlink = 2;
    return 0;
  }
  if (!registers().has_files() || !cpu_of_file(path)) return -ENOENT;
  attributes->st_mode = S_IFREG | 0600;
  attributes->st_nlink = 1;
  return 0;
}

int open_file(const char* path, fuse_file_info* file) {
  std::optional<unsigned> cpu = cpu_of_file(path);
  if (!cpu) return -ENOENT;
  file->direct_io = 1;  // the offset is a register's number, so pages must not be cached
  return registers().open(*cpu);
}

int read_file(const char* path, char* bytes, size_t size, off_t number, fuse_file_info*) {
  uint64_t value = 0;
  if (size != sizeof value) return -EINVAL;
  int code = registers().read(*cpu_of_file(path), static_cast<uint32_t>(number), value);
  if (code < 0) return code;
  std::memcpy(bytes, &value, sizeof value);
  return sizeof value;
}

int write_file(const char* path, const char* bytes, size_t size, off_t number, fuse_file_info*) {
  uint64_t value = 0;
  if (size != sizeof value) return -EINVAL;
  std::memcpy(&value, bytes, sizeof value);
  int code = registers().write(*cpu_of_file(path), static_cast<uint32_t>(number), value);
  return code < 0 ? code : static_cast<int>(sizeof value);
}

void* begin(fuse_conn_info*, fuse_config* configuration) {
  // The contents change without the kernel's involvement.
  configuration->entry_timeout = configuration->attr_timeout = configuration->negative_timeout = 0;
  return ::fuse_get_context()->private_data;
}

fuse_operations operations() {
  fuse_operations all{};
  all.getattr = get_attributes;
  all.open = open_file;
  all.read = read_file;
  all.write = write_file;
  all.init = begin;
  return all;
}

std::string failed(const char* what) { return fmt::format("{}: {}", what, errno_text(errno)); }

}  // namespace

EmulatedRegisters::EmulatedRegisters() = default;

std::string EmulatedRegisters::mount() {
  if (::unshare(CLONE_NEWNS) != 0) return failed("a mount namespace");
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return failed("keeping mounts apart");
  if (::mount("none", "/var/lock", "tmpfs", 0, nullptr) != 0) return failed("a /var/lock of its own");
  made_folder_ = ::mkdir("/dev/cpu", 0755) == 0;
  if (!made_folder_ && errno != EEXIST) return failed("making /dev/cpu");
  char name[] = "emulated-registers";
  char* arguments[] = {name, nullptr};
  fuse_args words{1, arguments, 0};
  static const fuse_operations kOperations = operations();
  fuse_ = ::fuse_new(&words, &kOperations, sizeof kOperations, this);
  if (fuse_ == nullptr) return failed("a file system by FUSE");
  if (::fuse_mount(fuse_, "/dev/cpu") != 0) {
    ::fuse_destroy(std::exchange(fuse_, nullptr));
    return failed("mounting a file system by FUSE");
  }
  serving_ = std::thread([this] { ::fuse_loop(fuse_); });
  return "";
}

EmulatedRegisters::~EmulatedRegisters() {
  if (fuse_ == nullptr) return;
  ::fuse_exit(fuse_);
  ::fuse_unmount(fuse_);
  serving_.join();
  ::fuse_destroy(fuse_);
  if (made_folder_) ::rmdir("/dev/cpu");
}

}  // namespace hm::pqos_test
