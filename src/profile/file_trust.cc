// SPDX-License-Identifier: MIT
#include "profile/file_trust.h"

#include <sys/stat.h>
#include <sys/utsname.h>

#include <string_view>

#include "symbol/files/build_id.h"
#include "symbol/files/kernel_modules.h"
#include "symbol/files/names.h"
#include "symbol/files/text_tables.h"

namespace hm::profile {

bool is_this_machine(const record::Features& features) {
  struct utsname here {};
  return ::uname(&here) == 0 && features.hostname == here.nodename && features.os_release == here.release;
}

namespace {

// Returns true if the kernel, or its module, is mapped where the running kernel has it.
bool is_at_its_address(const record::Mmap& mmap) {
  std::string_view reference = mmap.path;
  if (std::string module = symbol::module_of(reference); !module.empty())
    return symbol::module_address(module) == mmap.address;
  if (!reference.starts_with(symbol::kKernelPrefix)) return false;
  reference.remove_prefix(symbol::kKernelPrefix.size());
  Result<uint64_t> address = symbol::kallsyms_address(reference.empty() ? "_text" : reference);
  return address.ok() && *address == mmap.file_offset;
}

}  // namespace

FileTrust::FileTrust(const record::Features& features) : made_here_(is_this_machine(features)) {}

// Compares only the inodes, because some file systems report different device numbers in mappings and in
// stat(2). Also checks that the mapping lies within the file.
bool FileTrust::is_same(const std::string& path, const record::Mmap& mmap) const {
  if (made_here_) return true;
  struct stat file {};
  if (!mmap.identity || mmap.identity->inode == 0 || ::stat(path.c_str(), &file) != 0) return false;
  return file.st_ino == mmap.identity->inode && mmap.file_offset < static_cast<uint64_t>(file.st_size);
}

std::string FileTrust::running_kernel(const record::Features& features, const record::Mmap& mmap) {
  if (!is_this_machine(features) || !is_at_its_address(mmap)) return {};
  Result<std::string> build_id = symbol::kernel_build_id();
  return build_id ? *build_id : "";
}

}  // namespace hm::profile
