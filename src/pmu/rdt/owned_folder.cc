// SPDX-License-Identifier: MIT
#include "pmu/rdt/owned_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace hm::rdt {
namespace {

constexpr std::string_view kPrefixOfOurs = "hardmeter-";

std::string name_for_folder() {
  static std::atomic<uint64_t> made = 0;
  return std::string(kPrefixOfOurs) + std::to_string(::getpid()) + '-' + std::to_string(made++);
}

// Locks the folder and checks that it still has this path: a removed folder can be locked, too.
UniqueFd locked_folder(const std::string& path, int lock) {
  UniqueFd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat locked, named;
  if (folder.valid() && ::flock(folder.get(), lock) == 0 && ::fstat(folder.get(), &locked) == 0 &&
      ::stat(path.c_str(), &named) == 0 && locked.st_ino == named.st_ino)
    return folder;
  return {};
}

}  // namespace

bool has_name_of_ours(std::string_view folder_name) { return folder_name.starts_with(kPrefixOfOurs); }

Error cannot_make_group(const std::string& parent, int error_number) {
  switch (error_number) {
    case ENOSPC:
      return make_error(
          ErrorCode::kUnsupported,
          "cannot create a group in {}: all monitoring IDs of the processor are in use; remove groups of other tools to free some",
          parent);
    case EBUSY:
      return make_error(
          ErrorCode::kIo,
          "cannot create a group in {}: the free monitoring IDs still have lines in the cache; try again in a moment",
          parent);
    case EROFS:
      return make_error(ErrorCode::kPermission,
                        "cannot create a group in {}: resctrl is mounted read-only; mount it writable",
                        parent);
    case EACCES:
    case EPERM:
      return make_error(ErrorCode::kPermission, "cannot create a group in {}: {}; run as root", parent,
                        errno_text(error_number));
    case ENOENT:
      return make_error(ErrorCode::kNotFound, "cannot create a group in {}: it does not exist", parent);
    default:
      return make_error(ErrorCode::kIo, "cannot create a group in {}: {}", parent, errno_text(error_number));
  }
}

Result<OwnedFolder> OwnedFolder::make(const std::string& parent) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    std::string path = parent + '/' + name_for_folder();
    if (::mkdir(path.c_str(), 0755) != 0) {
      if (errno == EEXIST) continue;
      return cannot_make_group(parent, errno);
    }
    // Another process may take the folder for a left-over and remove it until it is locked.
    if (UniqueFd lock = locked_folder(path, LOCK_EX); lock.valid())
      return OwnedFolder(std::move(path), std::move(lock));
    int error = errno;
    ::rmdir(path.c_str());
    if (error == EMFILE || error == ENFILE)
      return make_error(ErrorCode::kIo, "cannot lock a group in {}: {}; raise the limit (ulimit -n)", parent,
                        errno_text(error));
  }
  return make_error(ErrorCode::kIo, "cannot create a group in {}: each new group was removed at once",
                    parent);
}

OwnedFolder::~OwnedFolder() {
  if (lock_.valid()) ::rmdir(path_.c_str());
}

bool remove_leftover(const std::string& path) {
  return locked_folder(path, LOCK_EX | LOCK_NB).valid() && ::rmdir(path.c_str()) == 0;
}

}  // namespace hm::rdt
