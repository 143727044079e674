// SPDX-License-Identifier: MIT
#include "record/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace hm::record {
namespace {

constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;

ErrorCode code_of(int error_number) {
  return error_number == EACCES || error_number == EPERM ? ErrorCode::kPermission : ErrorCode::kIo;
}

}  // namespace

Result<Output> Output::create(const std::string& path) {
  if (path == "-")
    return Output("standard output", UniqueFd(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)), false);
  struct stat status {};
  bool there = ::stat(path.c_str(), &status) == 0;
  bool is_file = !there || S_ISREG(status.st_mode);
  if (there && is_file && std::rename(path.c_str(), (path + ".old").c_str()) != 0) {
    return make_error(code_of(errno), "cannot rename {0} to {0}.old: {1}", path, errno_text(errno));
  }
  int flags = O_WRONLY | O_CLOEXEC | (is_file ? O_CREAT | O_TRUNC : 0);
  UniqueFd fd(::open(path.c_str(), flags, kOwnerOnly));
  if (!fd.valid()) return make_error(code_of(errno), "cannot create {}: {}", path, errno_text(errno));
  return Output(path, std::move(fd), is_file);
}

Error Output::failure(const char* what, int error_number) const {
  return make_error(code_of(error_number), "cannot {} {}: {}", what, path_, errno_text(error_number));
}

Status Output::write(Bytes bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(fd_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return failure("write", errno);
    if (written > 0) bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return {};
}

Status Output::write_at(uint64_t offset, Bytes bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno != EINTR) return failure("write", errno);
    if (written <= 0) continue;
    offset += static_cast<uint64_t>(written);
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return {};
}

Status Output::cut_at(uint64_t size) {
  bool cut = ::ftruncate(fd_.get(), static_cast<off_t>(size)) == 0 &&
             ::lseek(fd_.get(), static_cast<off_t>(size), SEEK_SET) >= 0;
  return cut ? Status() : Status(failure("cut", errno));
}

Status Output::close() {
  return ::close(fd_.release()) == 0 ? Status() : Status(failure("finish writing", errno));
}

void Output::discard() {
  fd_.reset();
  if (is_file_) ::unlink(path_.c_str());
}

}  // namespace hm::record
