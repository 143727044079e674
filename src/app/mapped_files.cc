// SPDX-License-Identifier: MIT
#include "app/mapped_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/hex.h"
#include "base/maps_path.h"
#include "record/mmap.h"
#include "symbol/files/build_id.h"
#include "symbol/files/kept_files.h"

namespace hm::app {
namespace {

// Truncates build IDs that a linker made longer than the maximum.
std::vector<std::byte> recorded_build_id(const std::string& hex) {
  std::vector<std::byte> id = bytes_of_hex(hex).value_or(std::vector<std::byte>());
  id.resize(std::min(id.size(), record::kMaxBuildIdBytes));
  return id;
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

// Opens the file by its path, or, if the path now leads to another file, through the process that maps it.
UniqueFd open_mapped(const record::Mmap& mmap) {
  uint64_t inode = inode_of(mmap);
  UniqueFd fd = open_regular(path_in_maps(mmap.path, inode), inode);
  if (fd.valid() || inode == 0) return fd;
  fd = open_regular(
      fmt::format("/proc/{}/map_files/{:x}-{:x}", mmap.pid, mmap.address, mmap.address + mmap.length), inode);
  return fd.valid() ? std::move(fd) : open_regular(fmt::format("/proc/{}/exe", mmap.pid), inode);
}

bool is_at_its_path(int fd, const std::string& path) {
  struct stat held {};
  struct stat there {};
  return ::fstat(fd, &held) == 0 && ::stat(path.c_str(), &there) == 0 && held.st_dev == there.st_dev &&
         held.st_ino == there.st_ino;
}

Result<std::string> id_of_held(int fd, const std::string& path) {
  if (!is_at_its_path(fd, path_in_maps(path, 0))) return symbol::keep_file(fd);
  return symbol::build_id_of(fmt::format("/proc/self/fd/{}", fd));
}

}  // namespace

uint32_t MappedFiles::index_of(const record::Mmap& mmap) {
  auto known = index_of_path_.find(mmap.path);
  if (known != index_of_path_.end()) return known->second;
  auto index = static_cast<uint32_t>(files_.size());
  File& file = files_.emplace_back(File{std::string(mmap.path)});
  index_of_path_.emplace(mmap.path, index);
  if (held_ < kMaxHeld && is_file(mmap.path)) file.held = open_mapped(mmap);
  held_ += file.held.valid() ? 1 : 0;
  return index;
}

void MappedFiles::see(const record::Record& record) {
  if (record.type != PERF_RECORD_MMAP2 && record.type != PERF_RECORD_MMAP) return;
  auto mmap = record::decode_mmap(record);
  if (mmap && mmap->executable && is_file(mmap->path)) (void)index_of(*mmap);
}

void MappedFiles::describe(record::Features& features) const {
  for (const auto& [path, index] : index_of_path_) {
    if (!is_file(path)) continue;
    const File& file = files_[index];
    Result<std::string> hex =
        file.held.valid() ? id_of_held(file.held.get(), path) : symbol::build_id_of(path_in_maps(path, 0));
    if (hex)
      features.build_ids.push_back(
          {.misc = PERF_RECORD_MISC_USER, .id = recorded_build_id(*hex), .path = path});
  }
}

}  // namespace hm::app
