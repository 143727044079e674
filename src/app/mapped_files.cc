// SPDX-License-Identifier: MIT
#include "app/mapped_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/hex.h"
#include "base/maps_path.h"
#include "base/process_files.h"
#include "symbol/files/build_id.h"
#include "symbol/files/kept_files.h"
#include "symbol/files/text_tables.h"

namespace hm::app {
namespace {

// Limits on copies of files of containers: one file, and all of a recording together.
constexpr uint64_t kMaxKeptFile = uint64_t{256} << 20, kMaxKeptFiles = uint64_t{1} << 30;

// Truncates build IDs that a linker made longer than the maximum.
std::vector<std::byte> recorded_build_id(const std::string& hex) {
  std::vector<std::byte> id = bytes_of_hex(hex).value_or(std::vector<std::byte>());
  id.resize(std::min(id.size(), record::kMaxBuildIdBytes));
  return id;
}

void add_build_id(const std::string& hex, const std::string& path, record::Features& features) {
  features.build_ids.push_back({.misc = PERF_RECORD_MISC_USER, .id = recorded_build_id(hex), .path = path});
}

// Returns 0 if the inode was not recorded.
uint64_t inode_of(const record::Mmap& mmap) { return mmap.identity ? mmap.identity->inode : 0; }

// Opens without blocking, because the path may name a pipe by now.
UniqueFd open_regular(const std::string& path, uint64_t inode) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat file {};
  bool is_it = fd.valid() && ::fstat(fd.get(), &file) == 0 && S_ISREG(file.st_mode) &&
               (inode == 0 || file.st_ino == inode);
  return is_it ? std::move(fd) : UniqueFd();
}

// Opens the file by its path, or, if the path leads to another file, through the process that maps it.
UniqueFd open_mapped(const record::Mmap& mmap, bool is_of_container) {
  uint64_t inode = inode_of(mmap);
  if (!is_of_container) {
    UniqueFd fd = open_regular(path_in_maps(mmap.path, inode), inode);
    if (fd.valid() || inode == 0) return fd;
  }
  return open_mapped_file({static_cast<pid_t>(mmap.pid), mmap.address, mmap.address + mmap.length, inode,
                           std::string(mmap.path)});
}

bool is_at_its_path(int fd, const std::string& path) {
  struct stat held {};
  struct stat there {};
  return ::fstat(fd, &held) == 0 && ::stat(path.c_str(), &there) == 0 && held.st_dev == there.st_dev &&
         held.st_ino == there.st_ino;
}

uint64_t bytes_of_file(int fd) {
  struct stat file {};
  return ::fstat(fd, &file) == 0 ? static_cast<uint64_t>(file.st_size) : 0;
}

std::string build_id_at_path(const std::string& path) {
  Result<std::string> hex = symbol::build_id_of(path_in_maps(path, 0));
  return hex ? *std::move(hex) : std::string();
}

// Returns the key under which the file is kept, or `otherwise` if it cannot be kept.
std::string kept_key(int fd, std::string otherwise) {
  Result<std::string> key = symbol::keep_file(fd);
  return key ? *std::move(key) : std::move(otherwise);
}

std::string map_of(uint32_t pid) { return fmt::format("/tmp/perf-{}.map", pid); }

}  // namespace

uint32_t MappedFiles::index_of(const record::Mmap& mmap) {
  record::FileIdentity identity = mmap.identity.value_or(record::FileIdentity());
  Key key{std::string(mmap.path), identity.major, identity.minor, identity.inode};
  auto [known, is_new] = index_of_file_.try_emplace(std::move(key), static_cast<uint32_t>(files_.size()));
  if (!is_new) return known->second;
  files_.push_back(File{std::string(mmap.path), identity});
  if (is_file(mmap.path)) open(mmap, files_.back());
  return known->second;
}

// Reads the build ID at once, because a process may end at any time.
void MappedFiles::open(const record::Mmap& mmap, File& file) {
  file.is_of_container = processes_are_here_ && has_own_files(static_cast<pid_t>(mmap.pid));
  UniqueFd fd = processes_are_here_ ? open_mapped(mmap, file.is_of_container)
                                    : open_regular(std::string(mmap.path), inode_of(mmap));
  if (!fd.valid()) return;
  file.build_id = symbol::build_id_of(fd.get());
  if (held_ < kMaxHeld) {
    file.held = std::move(fd);
    ++held_;
  } else if (keep_ != KeepSymbols::kNever && !is_at_its_path(fd.get(), file.path) &&
             bytes_of_file(fd.get()) <= kMaxKeptFile) {
    file.build_id = kept_key(fd.get(), std::move(file.build_id));
  }
}

std::string MappedFiles::readable_path(uint32_t index) const {
  const File& file = files_[index];
  bool is_here = !file.held.valid() || is_at_its_path(file.held.get(), file.path);
  return is_here ? file.path : fmt::format("/proc/self/fd/{}", file.held.get());
}

void MappedFiles::see(const record::Record& record) {
  if (record.type != PERF_RECORD_MMAP2 && record.type != PERF_RECORD_MMAP) return;
  auto mmap = record::decode_mmap(record);
  if (mmap && mmap->executable) see_code(*mmap);
}

void MappedFiles::see_code(const record::Mmap& mmap) {
  if (is_file(mmap.path))
    (void)index_of(mmap);
  else if (!mmap.path.starts_with('['))
    see_code_in_memory(mmap);
}

// The map of a container is gone when its last process has ended, so it is opened as soon as it exists.
void MappedFiles::see_code_in_memory(const record::Mmap& mmap) {
  constexpr size_t kMaxProcesses = 4096;
  constexpr int kMaxTries = 64;
  if (keep_ == KeepSymbols::kNever || code_in_memory_.size() >= kMaxProcesses || !processes_are_here_) return;
  CodeInMemory& code = code_in_memory_[mmap.pid];
  if (code.held.valid() || held_ >= kMaxHeld || ++code.tries > kMaxTries) return;
  code.held = symbol::open_map_inside(static_cast<pid_t>(mmap.pid));
  held_ += code.held.valid() ? 1 : 0;
}

void MappedFiles::describe(record::Features& features) const {
  describe_files(features);
  describe_maps(features);
}

void MappedFiles::describe_files(record::Features& features) const {
  std::set<std::string_view> described;
  uint64_t kept_bytes = 0;
  for (const File& file : files_) {
    if (!is_file(file.path)) continue;
    std::string hex = file.build_id;
    int fd = file.held.get();
    if (!file.held.valid() && hex.empty() && !file.is_of_container) hex = build_id_at_path(file.path);
    bool is_kept =
        file.held.valid() && (keep_ == KeepSymbols::kAll || !is_at_its_path(fd, path_in_maps(file.path, 0)));
    uint64_t bytes = is_kept && file.is_of_container ? bytes_of_file(fd) : 0;
    bool fits = bytes <= kMaxKeptFile && kept_bytes + bytes <= kMaxKeptFiles;
    if (keep_ != KeepSymbols::kNever && is_kept && fits) {
      kept_bytes += bytes;
      hex = kept_key(fd, std::move(hex));
    }
    if (!hex.empty() && described.insert(file.path).second) add_build_id(hex, file.path, features);
  }
}

std::vector<record::FileBuild> MappedFiles::builds_of_same_path() const {
  std::map<std::string_view, int> counts;
  for (const File& file : files_) counts[file.path] += file.build_id.empty() ? 0 : 1;
  std::vector<record::FileBuild> builds;
  for (const File& file : files_) {
    if (file.build_id.empty() || counts[file.path] < 2) continue;
    builds.push_back(
        {file.path, file.identity.major, file.identity.minor, file.identity.inode, file.build_id});
  }
  return builds;
}

// A map has no build ID; the key of its copy takes the place of one.
void MappedFiles::describe_maps(record::Features& features) const {
  for (const auto& [pid, code] : code_in_memory_) {
    Result<UniqueFd> other = code.held.valid() ? UniqueFd() : symbol::open_perf_map(map_of(pid));
    if (!other) continue;
    int map = code.held.valid() ? code.held.get() : other->get();
    std::string key = bytes_of_file(map) <= kMaxKeptFile ? kept_key(map, "") : "";
    if (!key.empty()) add_build_id(key, map_of(pid), features);
  }
}

}  // namespace hm::app
