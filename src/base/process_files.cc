// SPDX-License-Identifier: MIT
// Sources: proc(5) and proc_pid_map_files(5); openat2(2).
#include "base/process_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/maps_path.h"
#include "base/take_until.h"
#include "base/text_file.h"

namespace hm {
namespace {

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

bool is_same_file(const std::optional<struct stat>& a, const std::optional<struct stat>& b) {
  return a && b && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

// A process of another user can serve the contents of a FUSE file, or not serve them.
bool may_block_readers(int fd) {
  constexpr decltype(statfs::f_type) kFuseMagic = 0x65735546;  // FUSE_SUPER_MAGIC in fs/fuse/inode.c
  struct statfs system {};
  return ::fstatfs(fd, &system) != 0 || system.f_type == kFuseMagic;
}

// `found` is a descriptor of O_PATH. The file is opened only after its type is known, because opening a
// device or a pipe can block or have other effects.
UniqueFd open_regular(const UniqueFd& found, uint64_t inode) {
  struct stat status {};
  bool is_it = found.valid() && ::fstat(found.get(), &status) == 0 && S_ISREG(status.st_mode) &&
               (inode == 0 || status.st_ino == inode) && !may_block_readers(found.get());
  if (!is_it) return {};
  return UniqueFd(
      ::open(fmt::format("/proc/self/fd/{}", found.get()).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

UniqueFd open_link(const std::string& link, uint64_t inode) {
  return open_regular(UniqueFd(::open(link.c_str(), O_PATH | O_CLOEXEC)), inode);
}

uint64_t number(std::string_view text, int base) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

// Opens a file by its present mapping in /proc/PID/maps. The kernel splits a recorded mapping if a part of it
// gets another protection.
UniqueFd open_by_maps(const ProcessMapping& mapping) {
  constexpr size_t kMaxBytes = size_t{1} << 24;
  std::string maps = read_text(fmt::format("/proc/{}/maps", mapping.pid), kMaxBytes).value_or("");
  for (std::string_view rest = maps; !rest.empty();) {
    std::string_view line = take_until(rest, '\n');
    std::string_view range = take_until(line, ' ');
    for (int field = 0; field < 3; ++field) (void)take_until(line, ' ');  // permissions, offset, device
    uint64_t inode = number(take_until(line, ' '), 10);
    uint64_t start = number(range.substr(0, range.find('-')), 16);
    uint64_t end = number(range.substr(range.find('-') + 1), 16);
    if (inode == 0 || inode != mapping.inode || end <= mapping.start || start >= mapping.end) continue;
    return open_link(fmt::format("/proc/{}/map_files/{}", mapping.pid, range), 0);
  }
  return {};
}

UniqueFd open_by_descriptor(const ProcessMapping& mapping) {
  constexpr int kMaxDescriptors = 4096;
  std::error_code error;
  std::filesystem::directory_iterator entry(fmt::format("/proc/{}/fd", mapping.pid), error), end;
  for (int i = 0; i < kMaxDescriptors && !error && entry != end; ++i, entry.increment(error)) {
    std::optional<struct stat> status = status_of(entry->path());
    if (!status || !S_ISREG(status->st_mode) || status->st_ino != mapping.inode) continue;
    return open_link(entry->path(), mapping.inode);
  }
  return {};
}

}  // namespace

bool has_own_files(pid_t pid) {
  std::optional<struct stat> names = status_of(fmt::format("/proc/{}/ns/mnt", pid));
  std::optional<struct stat> root = status_of(fmt::format("/proc/{}/root", pid));
  if (!names || !root) return false;
  return !is_same_file(names, status_of("/proc/self/ns/mnt")) || !is_same_file(root, status_of("/"));
}

UniqueFd open_in_root(pid_t pid, const std::string& path) {
  UniqueFd root(::open(fmt::format("/proc/{}/root", pid).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root.valid()) return {};
  struct open_how how {};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  return open_regular(
      UniqueFd(static_cast<int>(::syscall(SYS_openat2, root.get(), path.c_str(), &how, sizeof(how)))), 0);
}

UniqueFd open_mapped_file(const ProcessMapping& mapping) {
  // These links lead to the mapped file itself; no path is followed.
  UniqueFd fd = open_link(
      fmt::format("/proc/{}/map_files/{:x}-{:x}", mapping.pid, mapping.start, mapping.end), mapping.inode);
  if (!fd.valid()) fd = open_by_maps(mapping);
  if (fd.valid() || mapping.inode == 0) return fd;
  fd = open_in_root(mapping.pid, std::string(without_mark_of_deleted(mapping.path)));
  struct stat status {};
  if (fd.valid() && ::fstat(fd.get(), &status) == 0 && status.st_ino == mapping.inode) return fd;
  fd = open_link(fmt::format("/proc/{}/exe", mapping.pid), mapping.inode);
  return fd.valid() ? std::move(fd) : open_by_descriptor(mapping);
}

UniqueFd copy_to_memory(int file, size_t max_bytes) {
  struct stat status {};
  if (::fstat(file, &status) != 0 || static_cast<uint64_t>(status.st_size) > max_bytes) return {};
  UniqueFd copy(::memfd_create("hardmeter-copy", MFD_CLOEXEC));
  std::array<char, size_t{1} << 16> piece{};
  ssize_t got = 0;
  for (off_t at = 0; copy.valid() && (got = ::pread(file, piece.data(), piece.size(), at)) > 0; at += got) {
    bool fits = static_cast<uint64_t>(at + got) <= max_bytes;
    if (!fits || ::write(copy.get(), piece.data(), static_cast<size_t>(got)) != got) return {};
  }
  return got == 0 ? std::move(copy) : UniqueFd();
}

pid_t number_in_namespace(pid_t pid) {
  constexpr std::string_view kField = "\nNSpid:";
  constexpr size_t kMaxBytes = size_t{1} << 16;
  std::string status = read_text(fmt::format("/proc/{}/status", pid), kMaxBytes).value_or("");
  size_t found = status.find(kField);
  if (found == std::string::npos) return pid;
  std::string_view numbers = std::string_view(status).substr(found + kField.size());
  numbers = numbers.substr(0, numbers.find('\n'));
  auto last = static_cast<pid_t>(number(numbers.substr(numbers.find_last_of("\t ") + 1), 10));
  return last == 0 ? pid : last;
}

std::string no_process_text() {
  return ::access("/proc/self", F_OK) == 0 ? "there is no such process"
                                           : "/proc is not mounted here, so no process can be found";
}

bool belongs_to(pid_t pid, uid_t user) {
  std::optional<struct stat> status = status_of(fmt::format("/proc/{}", pid));
  return status && status->st_uid == user;
}

}  // namespace hm
