// SPDX-License-Identifier: MIT
#include "portable/image.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <link.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "base/unique_fd.h"

namespace hm::portable {
namespace {

// Returns the file of the C library's mathematical part, which the dynamic linker has mapped.
std::string library_path() {
  std::string path;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        if (std::strstr(info->dlpi_name, "libm.so") != nullptr)
          *static_cast<std::string*>(out) = info->dlpi_name;
        return 0;
      },
      &path);
  return path;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  return all.str();
}

Image map(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_TRUE(fd.valid()) << path;
  return ImageFile(fd.get()).map();
}

TEST(Image, HasTheBytesOfEachSegmentAndZerosAfterThem) {
  volatile double used = std::sin(1.0);  // links the library
  static_cast<void>(used);
  std::string path = library_path();
  ASSERT_FALSE(path.empty());
  std::string file = contents(path);
  Image image = map(path);
  ASSERT_NE(image.header_count, 0u);
  EXPECT_EQ(image.bias % kPage, 0u);
  const auto* headers = reinterpret_cast<const Elf64_Phdr*>(image.headers);
  size_t loaded = 0;
  for (uint64_t i = 0; i < image.header_count; ++i) {
    if (headers[i].p_type != PT_LOAD) continue;
    ++loaded;
    const auto* bytes = reinterpret_cast<const char*>(image.bias + headers[i].p_vaddr);
    EXPECT_EQ(std::string_view(bytes, headers[i].p_filesz),
              std::string_view(file).substr(headers[i].p_offset, headers[i].p_filesz));
    for (uint64_t zero = headers[i].p_filesz; zero < headers[i].p_memsz; ++zero) ASSERT_EQ(bytes[zero], 0);
  }
  EXPECT_GE(loaded, 3u);
}

TEST(Image, MapsMemoryBeyondTheFileAsZeros) {
  TemporaryFolder folder;
  std::string file(kPage + 100, 'x');
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_type = ET_DYN;
  header.e_machine = EM_X86_64;
  header.e_entry = 0x10;
  header.e_phoff = sizeof(header);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  Elf64_Phdr segments[2]{};
  segments[0] = {PT_LOAD, PF_R, 0, 0, 0, kPage, kPage, kPage};
  segments[1] = {PT_LOAD, PF_R | PF_W, kPage, kPage * 4, 0, 100, kPage * 3, 1 << 21};
  std::memcpy(file.data(), &header, sizeof(header));
  std::memcpy(file.data() + sizeof(header), segments, sizeof(segments));
  std::string path = folder.file("image");
  std::ofstream(path, std::ios::binary) << file;

  Image image = map(path);
  ASSERT_EQ(image.header_count, 2u);
  EXPECT_EQ(image.bias % (1 << 21), 0u);
  EXPECT_EQ(image.entry, image.bias + 0x10);
  auto* data = reinterpret_cast<char*>(image.bias + kPage * 4);
  EXPECT_EQ(std::string(data, 100), std::string(100, 'x'));
  EXPECT_EQ(std::string(data + 100, kPage * 3 - 100), std::string(kPage * 3 - 100, '\0'));
  data[kPage * 3 - 1] = 1;  // is writable
}

TEST(Image, RefusesFilesThatAreNoProgram) {
  TemporaryFolder folder;
  std::string whole = contents("/proc/self/exe");
  auto changed = [&](size_t offset, char byte) {
    std::string copy = whole;
    copy[offset] = byte;
    return copy;
  };
  std::vector<std::string> files = {"",
                                    "x",
                                    std::string(whole, 0, 63),
                                    std::string(whole, 0, 100),  // ends within the program headers
                                    changed(0, 'x'),
                                    changed(EI_CLASS, ELFCLASS32),
                                    changed(offsetof(Elf64_Ehdr, e_type), ET_REL),
                                    changed(offsetof(Elf64_Ehdr, e_machine), EM_ARM),
                                    changed(offsetof(Elf64_Ehdr, e_phentsize), 1),
                                    changed(offsetof(Elf64_Ehdr, e_phnum) + 1, 1)};
  for (size_t i = 0; i < files.size(); ++i) {
    std::string path = folder.file("file");
    std::ofstream(path, std::ios::binary) << files[i];
    EXPECT_EQ(map(path).header_count, 0u) << i;
  }
}

}  // namespace
}  // namespace hm::portable
