// SPDX-License-Identifier: MIT
#include "record/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/unique_fd.h"

namespace hm::record {
namespace {

constexpr size_t kReadBytes = size_t{1} << 20;

}  // namespace

Result<Source> Source::open(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input");
  struct stat status {};
  bool there = ::stat(path.c_str(), &status) == 0;
  if (there && S_ISDIR(status.st_mode)) {
    return make_error(
        ErrorCode::kUnsupported,
        "{} is a directory: recordings that perf splits over the files of a directory are not read; record "
        "without --threads",
        path);
  }
  if (!there || S_ISREG(status.st_mode)) {
    Result<MappedFile> file = MappedFile::open(path);
    if (!file.ok()) return std::move(file).error();
    return Source(std::move(*file));
  }
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return make_error(ErrorCode::kIo, "cannot open {}: {}", path, errno_text(errno));
  return read_all(fd.get(), path);
}

Source Source::over(Bytes bytes) { return Source(bytes); }

Result<Source> Source::read_all(int fd, const std::string& path) {
  std::vector<std::byte> bytes;
  for (size_t size = 0;;) {
    bytes.resize(size + kReadBytes);
    ssize_t got = ::read(fd, bytes.data() + size, kReadBytes);
    if (got < 0 && errno != EINTR)
      return make_error(ErrorCode::kIo, "cannot read {}: {}", path, errno_text(errno));
    if (got > 0) size += static_cast<size_t>(got);
    if (got == 0) {
      bytes.resize(size);
      return Source(std::move(bytes));
    }
  }
}

}  // namespace hm::record
