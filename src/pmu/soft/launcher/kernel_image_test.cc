// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/kernel_image.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <cstring>
#include <string>

namespace hm::soft {
namespace {

Bytes bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

// What matters of a kernel: the release and the note.
std::string elf_kernel(uint32_t note_type) {
  std::string elf = "\177ELF and more";
  elf += std::string("Linux version 6.1.0-9-amd64 (builder)\0", 38);
  const uint32_t header[] = {4, 4, note_type};
  elf.append(reinterpret_cast<const char*>(header), sizeof(header));
  elf += std::string("Xen\0\0\0\0\1", 8);
  return elf;
}

std::string packed(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

void put(std::string& image, size_t offset, uint32_t value) {
  std::memcpy(image.data() + offset, &value, sizeof(value));
}

// A bzImage with two sectors of setup, and the payload 16 bytes after them.
std::string boot_image(const std::string& payload) {
  std::string image(size_t{3} * 512 + 16, '\0');
  image[0x1f1] = 2;
  image.replace(0x202, 4, "HdrS");
  image[0x20e] = '\x60';  // the version is at 0x260
  image.replace(0x260, 15, "6.1.0-9-amd64 (");
  put(image, 0x248, 16);
  put(image, 0x24c, static_cast<uint32_t>(payload.size() + 4));
  return image + payload + std::string(4, 'n') + "more";
}

TEST(KernelImage, KnowsTheRelease) {
  for (const std::string& image : {elf_kernel(18), boot_image("")}) {
    Result<std::string> release = kernel_release(bytes_of(image));
    ASSERT_TRUE(release) << release.error().message;
    EXPECT_EQ(*release, "6.1.0-9-amd64");
  }
  EXPECT_FALSE(kernel_release(bytes_of(std::string(0x400, 'x'))));
  EXPECT_FALSE(kernel_release({}));
}

TEST(KernelImage, UnpacksTheKernel) {
  std::string elf = elf_kernel(18), image = boot_image(packed(elf));
  for (const std::string& each : {elf, image}) {
    Result<std::vector<std::byte>> kernel = startable_kernel(bytes_of(each));
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_TRUE(std::ranges::equal(*kernel, bytes_of(elf)));
  }
}

TEST(KernelImage, RefusesOthers) {
  EXPECT_FALSE(startable_kernel(bytes_of(elf_kernel(17))));
  EXPECT_FALSE(startable_kernel(bytes_of(boot_image(packed(elf_kernel(17))))));
  EXPECT_FALSE(startable_kernel(bytes_of(boot_image("not packed at all"))));
  std::string image = boot_image(packed(elf_kernel(18)));
  for (size_t length = 0; length < image.size() - 4; length += 7)
    EXPECT_FALSE(startable_kernel(bytes_of(image.substr(0, length)))) << length;
  put(image, 0x24c, UINT32_MAX);
  EXPECT_FALSE(startable_kernel(bytes_of(image)));
}

}  // namespace
}  // namespace hm::soft
