// SPDX-License-Identifier: MIT
#include "symbol/files/zstd_sections.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/mapped_file.h"
#include "base/write_all.h"
#include "unpack/unpack.h"

namespace hm::symbol {
namespace {

constexpr uint32_t kZstd = 2;  // ELFCOMPRESS_ZSTD, which older versions of elf.h lack
constexpr size_t kSectionAlignment = 16;

// The fields of section headers that matter here, at their offsets in a header of either class.
struct HeaderLayout {
  bool is_64_bit;
  size_t flags, offset, size, alignment, header_bytes, compression_bytes;
};
constexpr HeaderLayout kLayout64{true,
                                 offsetof(Elf64_Shdr, sh_flags),
                                 offsetof(Elf64_Shdr, sh_offset),
                                 offsetof(Elf64_Shdr, sh_size),
                                 offsetof(Elf64_Shdr, sh_addralign),
                                 sizeof(Elf64_Shdr),
                                 sizeof(Elf64_Chdr)};
constexpr HeaderLayout kLayout32{false,
                                 offsetof(Elf32_Shdr, sh_flags),
                                 offsetof(Elf32_Shdr, sh_offset),
                                 offsetof(Elf32_Shdr, sh_size),
                                 offsetof(Elf32_Shdr, sh_addralign),
                                 sizeof(Elf32_Shdr),
                                 sizeof(Elf32_Chdr)};

Bytes part_of_file(Bytes file, uint64_t offset, uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) return {};
  return file.subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
}

class SectionUnpacker {
 public:
  explicit SectionUnpacker(Bytes file) : file_(file) {}

  Result<UnpackedSections> run() {
    if (!read_file_header()) return UnpackedSections();
    result_.end = (file_.size() + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
    for (uint64_t i = 0; i < count_; ++i) {
      if (Status unpacked = take(table_ + i * layout_.header_bytes); !unpacked) return unpacked.error();
    }
    return std::move(result_);
  }

 private:
  bool read_file_header() {
    Bytes identity = part_of_file(file_, 0, EI_NIDENT);
    if (identity.empty() || std::memcmp(identity.data(), ELFMAG, SELFMAG) != 0) return false;
    bool is_64_bit = identity[EI_CLASS] == std::byte{ELFCLASS64};
    swap_ = identity[EI_DATA] == std::byte{ELFDATA2MSB};
    layout_ = is_64_bit ? kLayout64 : kLayout32;
    table_ = word(is_64_bit ? offsetof(Elf64_Ehdr, e_shoff) : offsetof(Elf32_Ehdr, e_shoff));
    size_t sizes = is_64_bit ? offsetof(Elf64_Ehdr, e_shentsize) : offsetof(Elf32_Ehdr, e_shentsize);
    ByteReader in(part_of_file(file_, sizes, 2 * sizeof(uint16_t)), swap_);
    uint16_t header_bytes = in.u16();
    count_ = in.u16();
    if (table_ == 0 || table_ >= file_.size() || header_bytes != layout_.header_bytes) return false;
    if (count_ == 0) count_ = word(table_ + layout_.size);  // "e_shnum": the number is in section 0
    count_ = std::min(count_, (file_.size() - table_) / layout_.header_bytes);
    return true;
  }

  // Reads an address-sized number; 0 outside the file.
  [[nodiscard]] uint64_t word(uint64_t offset) const {
    ByteReader in(part_of_file(file_, offset, layout_.is_64_bit ? sizeof(uint64_t) : sizeof(uint32_t)),
                  swap_);
    return layout_.is_64_bit ? in.u64() : in.u32();
  }

  Status take(uint64_t header) {
    uint64_t flags = word(header + layout_.flags);
    if ((flags & SHF_COMPRESSED) == 0) return {};
    uint64_t start = word(header + layout_.offset);
    Bytes section = part_of_file(file_, start, word(header + layout_.size));
    if (section.size() < layout_.compression_bytes) return {};
    ByteReader in(section, swap_);
    if (in.u32() != kZstd) return {};
    size_t words = layout_.is_64_bit ? sizeof(uint64_t) : sizeof(uint32_t);
    uint64_t alignment = word(start + layout_.compression_bytes - words);
    size_t limit = unpack_limit(file_.size()) - std::min(unpack_limit(file_.size()), result_.appended.size());
    Result<std::vector<std::byte>> bytes =
        unpack(Packing::kZstd, section.subspan(layout_.compression_bytes), limit);
    if (!bytes) return bytes.error();
    patch(header + layout_.flags, flags & ~uint64_t{SHF_COMPRESSED});
    patch(header + layout_.offset, result_.end + result_.appended.size());
    patch(header + layout_.size, bytes->size());
    patch(header + layout_.alignment, alignment);
    result_.appended.insert(result_.appended.end(), bytes->begin(), bytes->end());
    result_.appended.resize((result_.appended.size() + kSectionAlignment - 1) / kSectionAlignment *
                            kSectionAlignment);
    return {};
  }

  void patch(uint64_t offset, uint64_t value) {
    ByteWriter out;
    if (layout_.is_64_bit)
      out.u64(swap_ ? byte_swap(value) : value);
    else
      out.u32(swap_ ? byte_swap(static_cast<uint32_t>(value)) : static_cast<uint32_t>(value));
    result_.patches.push_back({offset, std::move(out).take()});
  }

  Bytes file_;
  bool swap_ = false;
  HeaderLayout layout_ = kLayout64;
  uint64_t table_ = 0;
  uint64_t count_ = 0;
  UnpackedSections result_;
};

}  // namespace

Result<UnpackedSections> unpack_zstd_sections(Bytes file) { return SectionUnpacker(file).run(); }

Result<UniqueFd> copy_without_zstd(int fd) {
  Result<MappedFile> file = MappedFile::open(fmt::format("/proc/self/fd/{}", fd));
  if (!file) return file.error();
  Result<UnpackedSections> changes = unpack_zstd_sections(file->bytes());
  if (!changes) return changes.error();
  if (changes->empty()) return UniqueFd();
  UniqueFd copy(::memfd_create("hardmeter-unpacked", MFD_CLOEXEC));
  bool good = copy.valid() && write_all(copy.get(), file->bytes()) &&
              write_all(copy.get(), changes->appended, changes->end);
  for (const UnpackedSections::Patch& patch : changes->patches)
    good = good && write_all(copy.get(), patch.bytes, patch.offset);
  if (!good)
    return make_error(ErrorCode::kIo, "cannot unpack debug sections in memory: {}", errno_text(errno));
  return copy;
}

}  // namespace hm::symbol
