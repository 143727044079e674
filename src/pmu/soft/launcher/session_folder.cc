// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/session_folder.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace hm::soft {
namespace {

namespace fs = std::filesystem;

constexpr char kFolderPrefix[] = "hardmeter-";

// A lock of the open file (F_OFD_SETLK of fcntl(2)): one of the process would go as soon as anything in it
// closed the session file, such as a reader of the files that a recording names.
struct flock whole_file_lock() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

std::string memory_folder() {
  if (::access("/dev/shm", W_OK | X_OK) == 0) return "/dev/shm";
  std::error_code error;  // $TMPDIR names no folder
  std::string folder = fs::temp_directory_path(error).string();
  return error ? "/tmp" : folder;
}

// Removes folders whose recorder is gone: their session file is ours to open and nobody locks it.
void remove_abandoned(const std::string& root) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root, ignored)) {
    if (!entry.path().filename().string().starts_with(kFolderPrefix)) continue;
    UniqueFd fd(::open((entry.path() / kSessionFileName).c_str(), O_RDWR | O_CLOEXEC));
    struct flock lock = whole_file_lock();
    struct stat status {};
    if (!fd.valid() || ::fstat(fd.get(), &status) != 0 || status.st_uid != ::geteuid()) continue;
    bool locked_by_someone = ::fcntl(fd.get(), F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
    bool complete = static_cast<uint64_t>(status.st_size) >= sizeof(Session);
    if (complete && !locked_by_someone) fs::remove_all(entry.path(), ignored);
  }
}

// Where there is room for it, and the user lets files grow so far.
uint64_t common_models_bytes(int folder_file) {
  struct statvfs room {};
  if (::fstatvfs(folder_file, &room) != 0 || room.f_bavail * room.f_frsize < kCommonModelsBytes) return 0;
  struct rlimit limit {};
  bool fits =
      ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= kCommonModelsOffset + kCommonModelsBytes;
  return fits ? kCommonModelsBytes : 0;
}

Error folder_error(const std::string& path) {
  return make_error(ErrorCode::kIo, "cannot make the session folder {}: {}", path, errno_text(errno));
}

}  // namespace

Result<SessionFolder> SessionFolder::create(const Session& initial) {
  std::string root = memory_folder();
  remove_abandoned(root);
  std::string path = root + "/" + kFolderPrefix + "XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return folder_error(path);
  std::string file_path = path + "/" + kSessionFileName;
  UniqueFd fd(::open(file_path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  struct flock lock = whole_file_lock();
  uint64_t common_bytes = fd.valid() ? common_models_bytes(fd.get()) : 0;
  // Programs under test may change user: anybody who is told the name may put a ring here, nobody may list
  // it.
  if (!fd.valid() || ::fcntl(fd.get(), F_OFD_SETLK, &lock) != 0 ||
      ::ftruncate(fd.get(), static_cast<off_t>(kCommonModelsOffset + common_bytes)) != 0 ||
      ::fchmod(fd.get(), 0666) != 0 || ::chmod(path.c_str(), S_ISVTX | 0733) != 0) {
    Error error = folder_error(path);
    std::error_code ignored;
    fs::remove_all(path, ignored);
    return error;
  }
  auto file = MappedFile::share(fd, sizeof(Session));
  if (!file) return file.error();
  // A child that lives on without exec (cleaner.h) would hold the lock by the mapping.
  ::madvise(file->data(), sizeof(Session), MADV_DONTFORK);
  std::memcpy(file->data(), &initial, sizeof(Session));
  reinterpret_cast<Session*>(file->data())->common_models_bytes = common_bytes;
  SessionFolder folder(std::move(path), std::move(fd), *std::move(file));
  if (initial.shares_cache != 0) {
    if (Status made = folder.make_cache(); !made) return made.error();
  }
  return folder;
}

Status SessionFolder::make_cache() {
  std::string file_path = path_ + "/" + kSessionCacheFileName;
  uint64_t bytes = model::SessionCache::bytes(session().geometry.l3);
  UniqueFd fd(::open(file_path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd.valid() || ::ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0 || ::fchmod(fd.get(), 0666) != 0)
    return folder_error(file_path);
  auto file = MappedFile::share(fd, bytes);
  if (!file) return file.error();
  cache_ = *std::move(file);
  cache()->build(session().geometry.l3);
  return {};
}

SessionFolder::SessionFolder(SessionFolder&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::move(other.fd_)),
      file_(std::move(other.file_)),
      cache_(std::move(other.cache_)) {
  other.path_.clear();
}

SessionFolder::~SessionFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace hm::soft
