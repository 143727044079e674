// SPDX-License-Identifier: MIT
#include "symbol/files/kept_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/mapped_file.h"
#include "base/unique_fd.h"
#include "base/write_text.h"
#include "symbol/files/build_id.h"

namespace hm::symbol {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKernelsFolder = "[kernel.kallsyms]";

// Returns an empty path if there is no home folder.
fs::path folder_of_kept() {
  if (const char* set = std::getenv("PERF_BUILDID_DIR"); set != nullptr && *set != '\0') return set;
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? fs::path() : fs::path(home) / ".debug";
}

fs::path place_of(const fs::path& folder, const std::string& build_id, const char* name) {
  return folder / ".build-id" / build_id.substr(0, 2) / build_id.substr(2) / name;
}

// Returns 20 bytes in hex: two FNV-1a hashes with different start values
// (http://www.isthe.com/chongo/tech/comp/fnv) and the size.
std::string key_of(Bytes bytes) {
  constexpr uint64_t kStart = 0xcbf29ce484222325, kPrime = 0x100000001b3;
  uint64_t first = kStart, second = ~kStart;
  for (std::byte byte : bytes) {
    first = (first ^ static_cast<uint64_t>(byte)) * kPrime;
    second = (second ^ static_cast<uint64_t>(byte)) * kPrime;
  }
  return fmt::format("{:016x}{:016x}{:08x}", first, second, static_cast<uint32_t>(bytes.size()));
}

Status copy(int from, const fs::path& to) {
  std::string partial = to.string() + fmt::format(".{}", ::getpid());
  UniqueFd file(::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file.valid()) return make_error(ErrorCode::kIo, "cannot write '{}': {}", partial, errno_text(errno));
  std::array<char, size_t{1} << 16> piece{};
  ssize_t got = 0;
  for (off_t at = 0; (got = ::pread(from, piece.data(), piece.size(), at)) > 0; at += got) {
    if (::write(file.get(), piece.data(), static_cast<size_t>(got)) != got) got = -1;
    if (got < 0) break;
  }
  if (got == 0 && ::rename(partial.c_str(), to.c_str()) == 0) return {};
  int error = errno;
  ::unlink(partial.c_str());
  return make_error(ErrorCode::kIo, "cannot write '{}': {}", to.string(), errno_text(error));
}

}  // namespace

std::string kept_file(const std::string& build_id, const char* name) {
  fs::path folder = folder_of_kept();
  if (folder.empty() || !is_build_id(build_id)) return {};
  std::error_code error;
  fs::path place = place_of(folder, build_id, name);
  if (fs::is_regular_file(place, error)) return place;
  // perf before Linux 4.11 linked the file itself.
  place = place.parent_path();
  return fs::is_regular_file(place, error) ? place.string() : std::string();
}

Result<std::string> keep_file(int fd) {
  std::string key = build_id_of(fd);
  if (key.empty()) {
    Result<MappedFile> file = MappedFile::open(fmt::format("/proc/self/fd/{}", fd));
    if (!file) return file.error();
    key = key_of(file->bytes());
  }
  fs::path folder = folder_of_kept();
  if (folder.empty()) return make_error(ErrorCode::kNotFound, "HOME is not set, so no files can be kept");
  fs::path place = place_of(folder, key, "elf");
  std::error_code error;
  if (fs::exists(place, error)) return key;
  fs::create_directories(place.parent_path(), error);
  if (error) return make_error(ErrorCode::kIo, "cannot make '{}': {}", place.string(), error.message());
  if (Status copied = copy(fd, place); !copied) return copied.error();
  return key;
}

namespace {

// Others may read the file meanwhile.
Status replace_text(const fs::path& path, std::string_view text) {
  std::string partial = path.string() + fmt::format(".{}", ::getpid());
  Status written = write_text(partial, text, 0600);
  if (written && ::rename(partial.c_str(), path.c_str()) == 0) return {};
  int error = errno;
  ::unlink(partial.c_str());
  if (!written) return written;
  return make_error(ErrorCode::kIo, "cannot write '{}': {}", path.string(), errno_text(error));
}

}  // namespace

Status keep_kernel(const std::string& build_id, const KernelTexts& texts) {
  fs::path folder = folder_of_kept();
  if (folder.empty() || !is_build_id(build_id))
    return make_error(ErrorCode::kNotFound, "HOME is not set, or the kernel has no build ID");
  // perf looks for the kernel's symbols in a folder of their own, to which the build ID is a link.
  fs::path place = folder / kKernelsFolder / build_id;
  fs::path link = place_of(folder, build_id, kKeptKallsyms).parent_path();
  std::error_code error;
  for (const fs::path& each : {place, link.parent_path()}) {
    fs::create_directories(each, error);
    if (error) return make_error(ErrorCode::kIo, "cannot make '{}': {}", each.string(), error.message());
  }
  if (!fs::exists(fs::symlink_status(link, error)))
    fs::create_symlink(fs::path("../..") / kKernelsFolder / build_id, link, error);
  if (Status written = replace_text(place / kKeptKallsyms, texts.kallsyms); !written) return written;
  if (Status written = replace_text(place / kKeptCode, texts.code); !written) return written;
  return replace_text(place / kKeptModules, texts.modules);
}

}  // namespace hm::symbol
