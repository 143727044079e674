// SPDX-License-Identifier: MIT
#include "record/recording_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/unique_fd.h"
#include "record/recording_folder.h"
#include "unpack/unpack.h"

namespace hm::record {
namespace {

constexpr size_t kReadBytes = size_t{1} << 20;

}  // namespace

Result<Source> Source::open(const std::string& path) {
  Result<Source> source = open_packed(path);
  if (!source.ok() || source->is_folder_) return source;
  if (Status unpacked = source->unpack_file(path); !unpacked.ok()) return unpacked.error();
  return source;
}

Status Source::unpack_file(const std::string& path) {
  std::optional<Packing> packing = packing_of(bytes_);
  if (!packing) return {};
  Result<std::vector<std::byte>> unpacked = unpack(*packing, bytes_);
  if (!unpacked.ok()) {
    return make_error(unpacked.error().code, "cannot read {}: {}", path == "-" ? "standard input" : path,
                      unpacked.error().message);
  }
  files_.clear();
  read_ = *std::move(unpacked);
  bytes_ = read_;
  return {};
}

Result<Source> Source::open_packed(const std::string& path) {
  if (path == "-") {
    if (::isatty(STDIN_FILENO) != 0)
      return make_error(ErrorCode::kInvalidArgument, "standard input is a terminal, and no recording");
    return read_all(STDIN_FILENO, "standard input");
  }
  struct stat status {};
  bool there = ::stat(path.c_str(), &status) == 0;
  if (there && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)))
    return make_error(ErrorCode::kInvalidArgument, "{} is a device, and no recording", path);
  if (there && S_ISDIR(status.st_mode)) return open_folder(path);
  if (!there || S_ISREG(status.st_mode)) return open_file(path);
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return make_error(ErrorCode::kIo, "cannot open {}: {}", path, errno_text(errno));
  return read_all(fd.get(), path);
}

Source Source::over(Bytes bytes, std::vector<SourcePart> parts) {
  Source source;
  source.bytes_ = bytes;
  source.is_folder_ = !parts.empty();
  source.parts_ = std::move(parts);
  return source;
}

Result<Source> Source::open_file(const std::string& path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok()) return std::move(file).error();
  Source source;
  source.bytes_ = file->bytes();
  source.files_.push_back(std::move(*file));
  return source;
}

Result<Source> Source::open_folder(const std::string& path) {
  Result<RecordingFolder> folder = list_recording_folder(path);
  if (!folder.ok()) return std::move(folder).error();
  Result<Source> source = open_file(fmt::format("{}/{}", path, kFolderHead));
  if (!source.ok()) return source;
  source->is_folder_ = true;
  source->problems_ = std::move(folder->problems);
  for (const std::string& name : folder->parts) {
    Result<MappedFile> file = MappedFile::open(fmt::format("{}/{}", path, name));
    if (!file.ok()) {
      source->problems_.push_back(fmt::format("{}, so its records are missing", file.error().message));
      continue;
    }
    source->parts_.push_back({name, file->bytes()});
    source->files_.push_back(std::move(*file));
  }
  return source;
}

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
      Source source;
      source.read_ = std::move(bytes);
      source.bytes_ = source.read_;
      return source;
    }
  }
}

}  // namespace hm::record
