// SPDX-License-Identifier: MIT
#include "profile/file_trust.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <string_view>

#include "base/nanoseconds.h"
#include "base/unique_fd.h"
#include "record/run_description.h"
#include "symbol/files/build_id.h"
#include "symbol/files/jitdump.h"
#include "symbol/files/kernel_modules.h"
#include "symbol/files/machine.h"
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

uint16_t other_machine(const record::Features& features) {
  struct utsname here {};
  bool is_other = features.arch && ::uname(&here) == 0 && *features.arch != here.machine;
  return is_other ? symbol::elf_machine_of(*features.arch) : uint16_t{EM_NONE};
}

// Returns EM_NONE if the file is no ELF file.
uint16_t machine_of_file(const std::string& path) {
  Elf64_Ehdr header{};  // that of 32-bit files has its machine at the same place
  UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // it may be a pipe
  bool is_elf = file.valid() && ::pread(file.get(), &header, sizeof(header), 0) == sizeof(header) &&
                std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
  if (!is_elf) return EM_NONE;
  constexpr uint8_t kHere = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  bool is_swapped = header.e_ident[EI_DATA] != kHere;
  return is_swapped ? __builtin_bswap16(header.e_machine) : header.e_machine;
}

}  // namespace

FileTrust::FileTrust(const record::Features& features)
    : made_here_(is_this_machine(features)),
      other_machine_(other_machine(features)),
      ended_ns_(record::number_in(record::run_description(features), record::kEndedNs)) {}

// Compares only the inodes, because some file systems report different device numbers in mappings and in
// stat(2). Also checks that the mapping lies within the file. On the machine of the recording inodes prove
// nothing: a compiler may reuse that of the program it replaces.
FileState FileTrust::state_of(const std::string& path, const record::Mmap& mmap) const {
  struct stat file {};
  bool is_there = ::stat(path.c_str(), &file) == 0;
  if (made_here_) {
    uint16_t of_file = other_machine_ == EM_NONE ? uint16_t{EM_NONE} : machine_of_file(path);
    if (of_file != other_machine_ && of_file != EM_NONE) return FileState::kForeign;
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
