// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/guest_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"

namespace hm::soft {
namespace {

namespace fs = std::filesystem;

// A kernel with its modules, as a package has them below its root.
class KernelFolder {
 public:
  explicit KernelFolder(const std::string& release = "6.1.0-9-amd64")
      : modules_(folder_.file("lib/modules/" + release)) {
    fs::create_directories(folder_.file("boot"));
    fs::create_directories(modules_ / "kernel");
    std::string header(0x300, '\0');
    header.replace(0x202, 4, "HdrS");
    header[0x20e] = '\x50';  // the version is at 0x250
    header.replace(0x250, release.size() + 9, release + " (build)\0");
    write(image(), header);
  }
  [[nodiscard]] std::string image() const { return folder_.file("boot/vmlinuz"); }
  void add_module(const std::string& file, const std::string& needs) {
    write(modules_ / "kernel" / file,
          std::string("\177ELF\0license=GPL\0depends=", 25) + needs + std::string("\0name=x\0", 8));
  }
  void add_builtin(const std::string& line) { write(modules_ / "modules.builtin", line); }

 private:
  static void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  TemporaryFolder folder_;
  fs::path modules_;
};

std::vector<std::string> names_of(const GuestKernel& kernel) {
  std::vector<std::string> names;
  for (const KernelModule& each : kernel.modules) names.push_back(each.name);
  return names;
}

TEST(GuestKernel, ModulesComeAfterThoseThatTheyNeed) {
  KernelFolder folder;
  folder.add_module("virtio_pci.ko", "virtio_ring,virtio");
  folder.add_module("virtio_ring.ko", "");
  folder.add_module("virtio.ko", "virtio_ring");
  folder.add_module("9pnet-virtio.ko", "9pnet,virtio");  // a name with a hyphen
  folder.add_module("9pnet.ko", "");
  folder.add_module("9p.ko", "9pnet");
  folder.add_module("virtio_console.ko", "virtio");
  folder.add_builtin("kernel/fs/overlayfs/overlay.ko\n");
  auto kernel = find_guest_kernel(folder.image());
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->release, "6.1.0-9-amd64");
  EXPECT_EQ(names_of(*kernel), (std::vector<std::string>{"virtio_ring", "virtio", "virtio_pci", "9pnet",
                                                         "9pnet_virtio", "9p", "virtio_console"}));
}

TEST(GuestKernel, AMissingModuleIsNamed) {
  KernelFolder folder;
  folder.add_module("virtio_pci.ko", "");
  auto kernel = find_guest_kernel(folder.image());
  ASSERT_FALSE(kernel);
  EXPECT_NE(kernel.error().message.find("the kernel has no module 9pnet_virtio"), std::string::npos)
      << kernel.error().message;
}

TEST(GuestKernel, AnotherFileIsRefused) {
  auto kernel = find_guest_kernel("/bin/sh");
  ASSERT_FALSE(kernel);
  EXPECT_NE(kernel.error().message.find("is no Linux kernel"), std::string::npos) << kernel.error().message;
  EXPECT_FALSE(find_guest_kernel("/nowhere/vmlinuz"));
}

}  // namespace
}  // namespace hm::soft
