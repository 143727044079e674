// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/session_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "pmu/soft/ring/system_call.h"

namespace hm::soft {
namespace {

namespace fs = std::filesystem;

constexpr char kFolderPrefix[] = "hardmeter-";

// Returns a lock of the open file description (F_OFD_SETLK of fcntl(2)). A lock of the process would be
// released as soon as any code in it closes the session file, for example a reader of the files named in a
// recording.
struct flock whole_file_lock() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

std::string memory_folder() {
  if (::access("/dev/shm", W_OK | X_OK) == 0) return "/dev/shm";
  std::error_code error;  // set if $TMPDIR names no folder
  std::string folder = fs::temp_directory_path(error).string();
  return error ? "/tmp" : folder;
}

Error folder_error(const std::string& path) {
  return make_error(ErrorCode::kIo, "cannot make the session folder {}: {}", path, errno_text(errno));
}

bool is_own_folder(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid();
}

// True if the folder has a complete session file that no recorder has locked. Another user may have created
// the file, so links are not followed and devices are not opened.
bool has_abandoned_session(const fs::path& folder) {
  UniqueFd fd(
      ::open((folder / kSessionFileName).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct flock lock = whole_file_lock();
  struct stat status {};
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0) return false;
  bool is_whole = S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
                  static_cast<uint64_t>(status.st_size) >= sizeof(Session);
  return is_whole && ::fcntl(fd.get(), F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

// Also accepts folders of earlier versions, which keep the session in the outer folder.
bool is_abandoned(const fs::path& folder) {
  if (!is_own_folder(folder)) return false;
  if (has_abandoned_session(folder)) return true;
  std::error_code ignored;
  for (const auto& within : fs::directory_iterator(folder, ignored)) {
    if (is_own_folder(within.path()) && has_abandoned_session(within.path())) return true;
  }
  return false;
}

// Removes the folders of recorders that were killed.
void remove_abandoned(const std::string& root) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root, ignored)) {
    bool is_sessions = entry.path().filename().string().starts_with(kFolderPrefix);
    if (is_sessions && is_abandoned(entry.path())) fs::remove_all(entry.path(), ignored);
  }
}

// Allocates the file's first bytes. Returns false and sets errno if there is no room.
bool has_memory(const UniqueFd& fd, uint64_t bytes) {
  if (allocate_file(fd.get(), 0, bytes)) return true;
  errno = ENOSPC;
  return false;
}

// Returns 128 random bits in hexadecimal; empty, with errno set, if getrandom(2) fails.
std::string secret_name() {
  uint64_t halves[2];
  if (::getrandom(halves, sizeof(halves), 0) != sizeof(halves)) return {};
  return fmt::format("{:016x}{:016x}", halves[0], halves[1]);
}

// Creates a new folder below `root`, and in it the folder for the session's files. Returns the inner folder.
Result<std::string> make_folders(const std::string& root) {
  std::string outer = root + "/" + kFolderPrefix + "XXXXXX";
  if (::mkdtemp(outer.data()) == nullptr) return folder_error(outer);
  std::string name = secret_name(), inner = outer + "/" + name;
  // Processes that have the name may create files in the folder; only the recorder may list them.
  bool made = !name.empty() && ::mkdir(inner.c_str(), 0700) == 0 &&
              ::chmod(inner.c_str(), S_ISVTX | 0733) == 0 && ::chmod(outer.c_str(), 0711) == 0;
  if (made) return inner;
  Error error = folder_error(outer);
  std::error_code ignored;
  fs::remove_all(outer, ignored);
  return error;
}

// Returns the size of the common models, or 0 if there is no room for them or RLIMIT_FSIZE is too small.
uint64_t common_models_bytes(int folder_file) {
  struct statvfs room {};
  if (::fstatvfs(folder_file, &room) != 0 || room.f_bavail * room.f_frsize < kCommonModelsBytes) return 0;
  struct rlimit limit {};
  bool fits =
      ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= kCommonModelsOffset + kCommonModelsBytes;
  return fits ? kCommonModelsBytes : 0;
}

}  // namespace

void remove_session_folder(const std::string& path) {
  std::error_code ignored;
  fs::remove_all(fs::path(path).parent_path(), ignored);
}

Result<SessionFolder> SessionFolder::create(const Session& initial) {
  std::string root = memory_folder();
  remove_abandoned(root);
  auto made_folders = make_folders(root);
  if (!made_folders) return made_folders.error();
  std::string path = *made_folders, file_path = path + "/" + kSessionFileName;
  UniqueFd fd(::open(file_path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  struct flock lock = whole_file_lock();
  uint64_t common_bytes = fd.valid() ? common_models_bytes(fd.get()) : 0;
  if (!fd.valid() || ::fcntl(fd.get(), F_OFD_SETLK, &lock) != 0 ||
      ::ftruncate(fd.get(), static_cast<off_t>(kCommonModelsOffset + common_bytes)) != 0 ||
      ::fchmod(fd.get(), 0666) != 0 || !has_memory(fd, sizeof(Session))) {
    Error error = folder_error(path);
    remove_session_folder(path);
    return error;
  }
  auto file = SharedFile::map(fd, sizeof(Session));
  if (!file) {
    remove_session_folder(path);
    return file.error();
  }
  // A child that continues without exec (cleaner.h) would keep the file locked through its mapping.
  ::madvise(file->data(), sizeof(Session), MADV_DONTFORK);
  auto settings = std::make_unique<Session>(initial);
  settings->common_models_bytes = common_bytes;
  std::memcpy(file->data(), settings.get(), sizeof(Session));
  SessionFolder folder(std::move(path), std::move(fd), *std::move(file));
  folder.settings_ = std::move(settings);
  if (initial.shares_cache != 0) {
    if (Status made = folder.make_cache(); !made) return made.error();
  }
  return folder;
}

Status SessionFolder::make_cache() {
  std::string file_path = path_ + "/" + kSessionCacheFileName;
  uint64_t bytes = model::SessionCache::bytes(session().geometry.l3);
  UniqueFd fd(::open(file_path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd.valid() || ::ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0 || ::fchmod(fd.get(), 0666) != 0 ||
      !has_memory(fd, bytes))
    return folder_error(file_path);
  auto file = SharedFile::map(fd, bytes);
  if (!file) return file.error();
  cache_ = *std::move(file);
  cache()->build(session().geometry.l3);
  return {};
}

SessionFolder::SessionFolder(SessionFolder&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::move(other.fd_)),
      file_(std::move(other.file_)),
      settings_(std::move(other.settings_)),
      cache_(std::move(other.cache_)) {
  other.path_.clear();
}

SessionFolder::~SessionFolder() {
  if (!path_.empty()) remove_session_folder(path_);
}

}  // namespace hm::soft
