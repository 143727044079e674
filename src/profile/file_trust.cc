// SPDX-License-Identifier: MIT
#include "profile/file_trust.h"

#include <sys/stat.h>
#include <sys/utsname.h>

#include <string_view>

#include "base/nanoseconds.h"
#include "record/run_description.h"
#include "symbol/files/build_id.h"
#include "symbol/files/jitdump.h"
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

FileTrust::FileTrust(const record::Features& features)
    : made_here_(is_this_machine(features)),
      ended_ns_(record::number_in(record::run_description(features), record::kEndedNs)) {}

// Compares only the inodes, because some file systems report different device numbers in mappings and in
// stat(2). Also checks that the mapping lies within the file. On the machine of the recording inodes prove
// nothing: a compiler may reuse that of the program it replaces.
FileState FileTrust::state_of(const std::string& path, const record::Mmap& mmap) const {
  struct stat file {};
  bool is_there = ::stat(path.c_str(), &file) == 0;
  if (made_here_) {
    // A running process appends to these.
    bool may_grow = symbol::is_perf_map(path) || symbol::JitDump::is_name_of_one(path);
    bool is_newer = is_there && !may_grow && ended_ns_ != 0 && nanoseconds(file.st_mtim) > ended_ns_;
    return is_newer ? FileState::kChanged : FileState::kSame;
  }
  bool has_inode = is_there && mmap.identity && mmap.identity->inode != 0;
  bool is_same = has_inode && file.st_ino == mmap.identity->inode &&
                 mmap.file_offset < static_cast<uint64_t>(file.st_size);
  return is_same ? FileState::kSame : FileState::kForeign;
}

std::string FileTrust::running_kernel(const record::Features& features, const record::Mmap& mmap) {
  if (!is_this_machine(features) || !is_at_its_address(mmap)) return {};
  Result<std::string> build_id = symbol::kernel_build_id();
  return build_id ? *build_id : "";
}

}  // namespace hm::profile
