// SPDX-License-Identifier: MIT
#include "agent/spool.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/text_file.h"

namespace hm::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".batch", kUnfinished = ".part";
constexpr size_t kMostBytes = size_t{64} << 20;  // of a file: far more than store::kMostRows take

Error failed(std::string_view what, const std::string& path, int error) {
  return make_error(ErrorCode::kIo, "cannot {} {}: {}", what, path, errno_text(error));
}

Status write_whole(const std::string& path, std::string_view text) {
  UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file.valid()) return failed("write", path, errno);
  while (!text.empty()) {
    ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed("write", path, errno);
    text.remove_prefix(static_cast<size_t>(written));
  }
  if (::fsync(file.get()) != 0) return failed("write", path, errno);
  return {};
}

// So that a new name, or one that is gone, outlives a loss of power.
Status sync_folder(const std::string& folder) {
  UniqueFd opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.valid() || ::fsync(opened.get()) != 0) return failed("sync", folder, errno);
  return {};
}

}  // namespace

Result<Spool> Spool::open(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return make_error(ErrorCode::kIo, "cannot make the folder {}: {}", folder, error.message());
  fs::permissions(folder, fs::perms::owner_all, error);
  std::string path = folder + "/lock";
  UniqueFd lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.valid()) return failed("open", path, errno);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
    return make_error(ErrorCode::kPermission, "another agent uses the folder {}: each needs its own", folder);
  // What a kill left unfinished was never whole.
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::error_code ignored;
    if (entry.path().extension() == kUnfinished) fs::remove(entry.path(), ignored);
  }
  if (error) return make_error(ErrorCode::kIo, "cannot read the folder {}: {}", folder, error.message());
  return Spool(folder, std::move(lock));
}

Status Spool::add(const store::Batch& batch) {
  std::string name = fmt::format("{:012}-{}{}", batch.time_s, batch.id, kEnding);
  std::string part = path_of(name) + std::string(kUnfinished);
  if (Status written = write_whole(part, store::write_batch(batch)); !written) {
    std::error_code ignored;
    fs::remove(part, ignored);
    return written;
  }
  if (::rename(part.c_str(), path_of(name).c_str()) != 0) return failed("rename", part, errno);
  return sync_folder(folder_);
}

Result<std::vector<std::string>> Spool::waiting() const {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    if (entry.path().extension() == kEnding) names.push_back(entry.path().filename().string());
  }
  if (error) return make_error(ErrorCode::kIo, "cannot read the folder {}: {}", folder_, error.message());
  std::ranges::sort(names);
  return names;
}

Result<store::Batch> Spool::read(const std::string& name) const {
  std::optional<std::string> text = read_text(path_of(name), kMostBytes);
  if (!text) return failed("read", path_of(name), errno);
  Result<store::Batch> batch = store::read_batch(*text, path_of(name));
  if (!batch) {
    std::error_code ignored;
    fs::rename(path_of(name), path_of(name) + ".damaged", ignored);
  }
  return batch;
}

Status Spool::remove(const std::string& name) {
  if (::unlink(path_of(name).c_str()) != 0 && errno != ENOENT) return failed("remove", path_of(name), errno);
  return {};
}

Result<std::string> make_batch_id(const std::string& host, uint64_t time_s) {
  uint64_t random[2];
  if (::getrandom(random, sizeof(random), 0) != sizeof(random))
    return make_error(ErrorCode::kIo, "the kernel gives no random numbers: {}", errno_text(errno));
  std::string name;
  for (char c : host) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return fmt::format("{}-{}-{:016x}{:016x}", name.substr(0, 40), time_s, random[0], random[1]);
}

}  // namespace hm::agent
