// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/kernel_image.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "unpack/unpack.h"

namespace hm::soft {
namespace {

// Documentation/arch/x86/boot.rst in the Linux source: the header of a bzImage.
constexpr size_t kSetupSectors = 0x1f1, kMagic = 0x202, kVersion = 0x20e, kPayloadStart = 0x248;
constexpr size_t kVersionBase = 0x200, kSectorBytes = 512, kUsualSetupSectors = 4;

constexpr std::string_view kElfMagic = "\177ELF";

std::string_view as_text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

template <typename Number>
Number number_at(Bytes bytes, size_t offset) {
  Number number = 0;
  if (offset + sizeof(number) <= bytes.size()) std::memcpy(&number, bytes.data() + offset, sizeof(number));
  return number;
}

bool is_boot_image(Bytes image) {
  return image.size() > kPayloadStart + 8 && as_text(image).substr(kMagic, 4) == "HdrS";
}

std::string first_word(std::string_view text) {
  return std::string(text.substr(0, text.find_first_of(std::string_view(" \0", 2))));
}

// The compressed kernel, without the four bytes of its size at the end.
Bytes payload_of(Bytes image) {
  size_t sectors = number_at<uint8_t>(image, kSetupSectors);
  size_t start = ((sectors == 0 ? kUsualSetupSectors : sectors) + 1) * kSectorBytes +
                 number_at<uint32_t>(image, kPayloadStart);
  size_t bytes = number_at<uint32_t>(image, kPayloadStart + 4);
  if (start > image.size() || bytes > image.size() - start || bytes < 4) return {};
  return image.subspan(start, bytes - 4);
}

// Whether the ELF file has the note of an entry in 32-bit mode (XEN_ELFNOTE_PHYS32_ENTRY of
// include/xen/interface/elfnote.h): sizes of name and contents, type, name.
bool has_startable_note(Bytes elf) {
  constexpr uint32_t kType = 18;
  for (uint32_t bytes : {4u, 8u}) {
    const uint32_t header[] = {4, bytes, kType};
    std::string note(reinterpret_cast<const char*>(header), sizeof(header));
    note += std::string_view("Xen\0", 4);
    if (as_text(elf).find(note) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

Result<std::string> kernel_release(Bytes image) {
  std::string_view text = as_text(image);
  if (is_boot_image(image)) {
    size_t offset = number_at<uint16_t>(image, kVersion);
    if (offset != 0 && kVersionBase + offset < text.size())
      return first_word(text.substr(kVersionBase + offset, 256));
  }
  constexpr std::string_view kBanner = "Linux version ";
  size_t banner = text.starts_with(kElfMagic) ? text.find(kBanner) : std::string_view::npos;
  bool has_release = banner != std::string_view::npos && banner + kBanner.size() < text.size() &&
                     text[banner + kBanner.size()] >= '0' && text[banner + kBanner.size()] <= '9';
  if (has_release) return first_word(text.substr(banner + kBanner.size(), 256));
  return make_error(ErrorCode::kInvalidArgument, "no Linux kernel for x86 (a bzImage, or vmlinux)");
}

Result<std::vector<std::byte>> startable_kernel(Bytes image) {
  constexpr size_t kMaxBytes = size_t{1} << 30;
  std::vector<std::byte> elf;
  if (as_text(image).starts_with(kElfMagic)) {
    elf.assign(image.begin(), image.end());
  } else {
    Bytes payload = is_boot_image(image) ? payload_of(image) : Bytes();
    std::optional<Packing> packing = packing_of(payload);
    if (!packing) return make_error(ErrorCode::kUnsupported, "the kernel is packed in an unknown way");
    Result<std::vector<std::byte>> unpacked = unpack(*packing, payload, kMaxBytes);
    if (!unpacked) return unpacked.error();
    elf = *std::move(unpacked);
  }
  if (!has_startable_note(elf))
    return make_error(ErrorCode::kUnsupported, "the kernel cannot start without a boot loader (CONFIG_PVH)");
  return elf;
}

}  // namespace hm::soft
