// SPDX-License-Identifier: MIT
#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

namespace hm {

namespace {

Result<UniqueFd> open_regular(const std::string& path, struct stat& status) {
  // O_NONBLOCK: opening a pipe of that name would otherwise block until a process writes to it.
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) {
    ErrorCode code = errno == ENOENT   ? ErrorCode::kNotFound
                     : errno == EACCES ? ErrorCode::kPermission
                                       : ErrorCode::kIo;
    return make_error(code, "cannot open {}: {}", path, errno_text(errno));
  }
  if (::fstat(fd.get(), &status) != 0) {
    return make_error(ErrorCode::kIo, "cannot read the size of {}: {}", path, errno_text(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    return make_error(ErrorCode::kInvalidArgument, "{} is not a regular file", path);
  }
  return fd;
}

}  // namespace

Result<UniqueFd> open_regular_file(const std::string& path) {
  struct stat status {};
  return open_regular(path, status);
}

Result<MappedFile> MappedFile::open(const std::string& path) {
  struct stat status {};
  Result<UniqueFd> fd = open_regular(path, status);
  if (!fd) return std::move(fd).error();
  if (status.st_size == 0) return MappedFile(nullptr, 0);
  auto size = static_cast<size_t>(status.st_size);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd->get(), 0);
  if (data == MAP_FAILED) return make_error(ErrorCode::kIo, "cannot map {}: {}", path, errno_text(errno));
  return MappedFile(data, size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace hm
