// SPDX-License-Identifier: MIT
#include "symbol/files/build_id.h"

#include <elf.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include "base/elf_notes.h"
#include "base/hex.h"
#include "base/unique_fd.h"
#include "symbol/files/vdso.h"

namespace hm::symbol {
namespace {

using ElfHandle = std::unique_ptr<Elf, decltype(&elf_end)>;

Result<std::string> require(std::string id, const std::string& name) {
  if (id.empty()) return make_error(ErrorCode::kNotFound, "'{}' has no build-id", name);
  return id;
}

// Returns fewer bytes if the file ends before.
std::vector<std::byte> read_part(int fd, uint64_t offset, size_t bytes) {
  std::vector<std::byte> part(bytes);
  ssize_t got = offset > INT64_MAX ? 0 : ::pread(fd, part.data(), bytes, static_cast<off_t>(offset));
  part.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return part;
}

template <typename Header, typename Segment>
std::string build_id_by_segments(int fd, Bytes beginning) {
  constexpr size_t kMaxSegments = 256, kMaxNoteBytes = size_t{1} << 16;
  if (beginning.size() < sizeof(Header)) return {};
  Header header;
  std::memcpy(&header, beginning.data(), sizeof(header));
  size_t count = std::min<size_t>(header.e_phnum, kMaxSegments);
  std::vector<std::byte> table = read_part(fd, header.e_phoff, count * sizeof(Segment));
  for (size_t i = 0; (i + 1) * sizeof(Segment) <= table.size(); ++i) {
    Segment segment;
    std::memcpy(&segment, table.data() + i * sizeof(segment), sizeof(segment));
    if (segment.p_type != PT_NOTE) continue;
    std::vector<std::byte> notes =
        read_part(fd, segment.p_offset, std::min<size_t>(segment.p_filesz, kMaxNoteBytes));
    if (Bytes id = build_id_in_notes(notes); !id.empty()) return hex_of(id);
  }
  return {};
}

}  // namespace

std::string build_id_of(int fd) {
  std::vector<std::byte> beginning = read_part(fd, 0, sizeof(Elf64_Ehdr));
  if (beginning.size() < SELFMAG || std::memcmp(beginning.data(), ELFMAG, SELFMAG) != 0) return {};
  auto class_of_file = beginning.size() > EI_CLASS ? static_cast<int>(beginning[EI_CLASS]) : ELFCLASSNONE;
  return class_of_file == ELFCLASS32 ? build_id_by_segments<Elf32_Ehdr, Elf32_Phdr>(fd, beginning)
                                     : build_id_by_segments<Elf64_Ehdr, Elf64_Phdr>(fd, beginning);
}

std::string build_id_of(Elf* elf) {
  const void* bits = nullptr;
  ssize_t size = dwelf_elf_gnu_build_id(elf, &bits);
  if (size <= 0) return {};
  return hex_of({static_cast<const std::byte*>(bits), static_cast<size_t>(size)});
}

Result<std::string> build_id_of(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return make_error(ErrorCode::kNotFound, "cannot open '{}': {}", path, errno_text(errno));
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return make_error(ErrorCode::kInvalidArgument, "'{}' is not a regular file", path);
  }
  elf_version(EV_CURRENT);
  ElfHandle elf(elf_begin(fd.get(), ELF_C_READ_MMAP, nullptr), &elf_end);
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF) {
    return make_error(ErrorCode::kDamaged, "'{}' is not an ELF file", path);
  }
  return require(build_id_of(elf.get()), path);
}

Result<std::string> vdso_build_id() {
  Bytes image = vdso_image();
  elf_version(EV_CURRENT);
  // elf_memory() does not write to the image of a handle opened for reading.
  char* start = const_cast<char*>(reinterpret_cast<const char*>(image.data()));
  ElfHandle elf(image.empty() ? nullptr : elf_memory(start, image.size()), &elf_end);
  if (elf == nullptr) return make_error(ErrorCode::kNotFound, "this process has no vDSO");
  return require(build_id_of(elf.get()), "[vdso]");
}

Result<std::string> kernel_build_id() {
  constexpr const char* kNotes = "/sys/kernel/notes";
  UniqueFd fd(::open(kNotes, O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return make_error(ErrorCode::kNotFound, "cannot open '{}': {}", kNotes, errno_text(errno));
  std::array<std::byte, 4096> buffer{};
  ssize_t size = ::read(fd.get(), buffer.data(), buffer.size());
  if (size < 0) return make_error(ErrorCode::kIo, "cannot read '{}': {}", kNotes, errno_text(errno));
  return require(hex_of(build_id_in_notes(Bytes(buffer).first(static_cast<size_t>(size)))), kNotes);
}

bool is_build_id(std::string_view text) {
  constexpr size_t kMinDigits = 4, kMaxDigits = 128;
  return text.size() >= kMinDigits && text.size() <= kMaxDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool same_build_id(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return false;
  std::string_view shorter = a.size() < b.size() ? a : b;
  std::string_view longer = a.size() < b.size() ? b : a;
  return longer.starts_with(shorter) &&
         longer.find_first_not_of('0', shorter.size()) == std::string_view::npos;
}

}  // namespace hm::symbol
