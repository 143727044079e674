// SPDX-License-Identifier: MIT
#include "profile/dso_names.h"

#include <fmt/format.h>
#include <linux/mman.h>
#include <sys/mman.h>

#include "base/hex.h"
#include "base/maps_path.h"
#include "symbol/files/names.h"

namespace hm::profile {
namespace {

// The kernel is mapped as "[kernel.kallsyms]_text" and listed as "[kernel.kallsyms]".
std::string listed_path(std::string_view path) {
  return std::string(path.starts_with(symbol::kKernelPrefix) ? symbol::kKernelPrefix : path);
}

bool is_anonymous(std::string_view path) {
  return path.empty() || path == "//anon" || path.starts_with("/dev/zero") ||
         path.starts_with("/anon_hugepage") || path.starts_with("[anon");
}

// Returns true for anonymous memory and for a file of huge pages into which libhugetlbfs copies a program.
bool is_memory(std::string_view path) {
  return is_anonymous(path) || path.starts_with("/dev/hugepages/") ||
         path.find("/libhugetlbfs.tmp.") != std::string_view::npos;
}

// Returns a number that identifies the file of memory shared between processes; 0 if the memory is private or
// the file is not recorded.
uint64_t shared_file(const record::Mmap& mmap) {
  bool shared = (mmap.flags & MAP_TYPE) == MAP_SHARED || (mmap.flags & MAP_TYPE) == MAP_SHARED_VALIDATE;
  if (!shared || !mmap.identity) return 0;
  const record::FileIdentity& file = *mmap.identity;
  return (uint64_t{file.major} << 52 ^ uint64_t{file.minor} << 40 ^ file.inode) | uint64_t{1} << 63;
}

}  // namespace

void BuildIds::add(const record::BuildId& id) { by_path_[listed_path(id.path)] = hex_of(id.id); }

void BuildIds::add(const record::FileBuild& build) {
  by_file_[{build.path, build.major, build.minor, build.inode}] = build.build_id;
}

std::string BuildIds::of(const record::Mmap& mmap) const {
  if (!mmap.build_id.empty()) return hex_of(mmap.build_id);
  if (mmap.identity && !by_file_.empty()) {
    const record::FileIdentity& file = *mmap.identity;
    auto found = by_file_.find({std::string(mmap.path), file.major, file.minor, file.inode});
    if (found != by_file_.end()) return found->second;
  }
  return of(std::string(mmap.path));
}

std::string BuildIds::of(const std::string& dso_path) const {
  auto found = by_path_.find(listed_path(dso_path));
  return found == by_path_.end() ? std::string() : found->second;
}

std::string user_dso_path(const record::Mmap& mmap) {
  if (is_anonymous(mmap.path)) return fmt::format("/tmp/perf-{}.map", mmap.pid);
  return path_in_maps(mmap.path, mmap.identity ? mmap.identity->inode : 0);
}

bool may_hold_copied_code(std::string_view path) { return is_memory(path) || path.starts_with("/memfd:"); }

Mapping to_mapping(const record::Mmap& mmap, std::string_view dso_path, uint32_t dso) {
  uint64_t end = mmap.length > UINT64_MAX - mmap.address ? UINT64_MAX : mmap.address + mmap.length;
  uint64_t offset = mmap.file_offset;
  if (dso_path.starts_with(symbol::kKernelPrefix)) {
    // perf stores the address of the reference symbol in the field of the file offset.
    offset = mmap.address - (mmap.file_offset != 0 ? mmap.file_offset : mmap.address);
  } else if (is_anonymous(mmap.path)) {
    offset = mmap.address;
  }
  return {mmap.address, end, offset, dso, mmap.executable, shared_file(mmap), is_memory(mmap.path)};
}

}  // namespace hm::profile
