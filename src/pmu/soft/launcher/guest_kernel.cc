// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/guest_kernel.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "base/mapped_file.h"
#include "pmu/soft/launcher/kernel_image.h"
#include "unpack/unpack.h"

namespace hm::soft {
namespace {

namespace fs = std::filesystem;

// For the guest's devices, the host's files, and an overlay above them.
constexpr std::array<std::string_view, 5> kNeeded = {"virtio_pci", "9pnet_virtio", "9p", "overlay",
                                                     "virtio_console"};

Result<std::string> release_of(const std::string& image) {
  auto file = MappedFile::open(image);
  if (!file) return file.error();
  Result<std::string> release = kernel_release(file->bytes());
  if (release) return release;
  return make_error(release.error().code, "{} is {}", image, release.error().message);
}

// A module's name has underscores where its file's name may have hyphens.
std::string module_name(std::string_view file_name) {
  std::string name(file_name.substr(0, file_name.find(".ko")));
  std::ranges::replace(name, '-', '_');
  return name;
}

class Modules {
 public:
  explicit Modules(const fs::path& folder) {
    std::error_code error;
    for (const auto& each : fs::recursive_directory_iterator(folder, error)) {
      if (each.path().filename().string().find(".ko") != std::string::npos)
        paths_[module_name(each.path().filename().string())] = each.path();
    }
    auto builtin = MappedFile::open(folder / "modules.builtin");
    if (!builtin) return;
    std::string_view text(reinterpret_cast<const char*>(builtin->bytes().data()), builtin->bytes().size());
    for (size_t at = 0, end = 0; at < text.size(); at = end + 1) {
      end = std::min(text.find('\n', at), text.size());
      builtin_.insert(module_name(fs::path(text.substr(at, end - at)).filename().string()));
    }
  }

  // Appends the module after those that it depends on, unless it is there or part of the kernel.
  Status add(const std::string& name, std::vector<KernelModule>& to) const {
    bool is_there = std::ranges::find(to, name, &KernelModule::name) != to.end();
    if (is_there || builtin_.contains(name)) return {};
    auto found = paths_.find(name);
    if (found == paths_.end()) return make_error(ErrorCode::kNotFound, "the kernel has no module {}", name);
    auto image = read(found->second);
    if (!image) return image.error();
    for (const std::string& each : dependencies_of(*image)) {
      if (Status added = add(each, to); !added) return added;
    }
    to.push_back({name, *std::move(image)});
    return {};
  }

 private:
  static Result<std::vector<std::byte>> read(const fs::path& path) {
    auto file = MappedFile::open(path);
    if (!file) return file.error();
    if (auto packing = packing_of(file->bytes())) return unpack(*packing, file->bytes());
    return std::vector<std::byte>(file->bytes().begin(), file->bytes().end());
  }

  // The section .modinfo has NUL-terminated items, among them depends=NAME,NAME.
  static std::vector<std::string> dependencies_of(const std::vector<std::byte>& image) {
    std::string_view text(reinterpret_cast<const char*>(image.data()), image.size());
    constexpr std::string_view kItem("\0depends=", 9);
    size_t at = text.find(kItem);
    std::vector<std::string> names;
    if (at == std::string_view::npos) return names;
    at += kItem.size();
    std::string_view list = text.substr(at, text.find('\0', at) - at);
    while (!list.empty()) {
      size_t length = std::min(list.find(','), list.size());
      if (length != 0) names.push_back(module_name(list.substr(0, length)));
      list.remove_prefix(std::min(length + 1, list.size()));
    }
    return names;
  }

  std::map<std::string, fs::path> paths_;
  std::set<std::string> builtin_;
};

// Modules of a kernel that is installed, or unpacked with its folders boot and lib.
fs::path modules_folder(const fs::path& image, const std::string& release) {
  std::error_code error;
  fs::path beside = fs::absolute(image, error).parent_path().parent_path() / "lib" / "modules" / release;
  return fs::is_directory(beside, error) ? beside : fs::path("/lib/modules") / release;
}

Result<GuestKernel> kernel_of(const std::string& image) {
  auto release = release_of(image);
  if (!release) return release.error();
  GuestKernel kernel{image, *release, {}};
  Modules modules(modules_folder(image, *release));
  for (std::string_view each : kNeeded) {
    Status added = modules.add(std::string(each), kernel.modules);
    if (!added)
      return make_error(added.error().code, "{} cannot be the guest's kernel: {}", image,
                        added.error().message);
  }
  return kernel;
}

std::vector<std::string> installed_kernels() {
  std::vector<std::string> images;
  std::error_code error;
  for (const auto& each : fs::directory_iterator("/boot", error)) {
    if (each.path().filename().string().starts_with("vmlinuz")) images.push_back(each.path());
  }
  std::ranges::sort(images, [](const std::string& a, const std::string& b) {
    return ::strverscmp(a.c_str(), b.c_str()) > 0;
  });
  utsname own{};
  ::uname(&own);
  std::stable_partition(images.begin(), images.end(),
                        [&](const std::string& each) { return each.ends_with(own.release); });
  return images;
}

}  // namespace

Result<GuestKernel> find_guest_kernel(const std::string& image) {
  if (!image.empty()) return kernel_of(image);
  std::string why;
  for (const std::string& each : installed_kernels()) {
    auto kernel = kernel_of(each);
    if (kernel) return kernel;
    if (why.empty()) why = fmt::format(" ({})", kernel.error().message);
  }
  return make_error(
      ErrorCode::kNotFound,
      "there is no kernel for the guest in /boot that can reach this machine's files (9p, overlay){}: apt install linux-image-amd64, or name one with --guest-kernel FILE",
      why);
}

}  // namespace hm::soft
