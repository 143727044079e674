// SPDX-License-Identifier: MIT
#include "symbol/elf_module.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/unique_fd.h"
#include "symbol/build_id.h"

namespace hm::symbol {
namespace {

const Dwfl_Callbacks kCallbacks = {
    .find_elf = nullptr,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = nullptr,  // the default: .debug beside the file, and /usr/lib/debug
};

bool has_elf_magic(int fd) {
  std::array<char, SELFMAG> magic{};
  return ::pread(fd, magic.data(), magic.size(), 0) == SELFMAG &&
         std::memcmp(magic.data(), ELFMAG, SELFMAG) == 0;
}

bool write_all(int fd, Bytes bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace

Result<ElfModule> ElfModule::open(const std::string& path) {
  // Not blocking: the path comes from the recording, and may name a pipe by now.
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) {
    int error = errno;
    return make_error(error == EACCES ? ErrorCode::kPermission : ErrorCode::kNotFound, "cannot open '{}': {}",
                      path, errno_text(error));
  }
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return make_error(ErrorCode::kInvalidArgument, "'{}' is not a regular file", path);
  }
  Result<ElfModule> module = open_fd(fd.get(), path);
  if (module.ok()) (void)fd.release();  // libdwfl closes it
  return module;
}

Result<ElfModule> ElfModule::open(Bytes image, const std::string& name) {
  UniqueFd fd(::memfd_create("hardmeter-elf", MFD_CLOEXEC));
  if (!fd.valid() || !write_all(fd.get(), image)) {
    return make_error(ErrorCode::kIo, "cannot copy the image of '{}' to memory: {}", name, errno_text(errno));
  }
  Result<ElfModule> module = open_fd(fd.get(), name);
  if (module.ok()) (void)fd.release();
  return module;
}

Result<ElfModule> ElfModule::open_fd(int fd, const std::string& name) {
  if (!has_elf_magic(fd)) return make_error(ErrorCode::kDamaged, "'{}' is not an ELF file", name);
  ElfModule result;
  result.dwfl_.reset(dwfl_begin(&kCallbacks));
  if (result.dwfl_ == nullptr)
    return make_error(ErrorCode::kIo, "elfutils does not start: {}", dwfl_errmsg(-1));
  dwfl_report_begin(result.dwfl_.get());
  result.module_ = dwfl_report_offline(result.dwfl_.get(), name.c_str(), name.c_str(), fd);
  dwfl_report_end(result.dwfl_.get(), nullptr, nullptr);
  if (result.module_ != nullptr) result.elf_ = dwfl_module_getelf(result.module_, &result.bias_);
  if (result.elf_ == nullptr) {
    return make_error(ErrorCode::kDamaged, "cannot read the ELF file '{}': {}", name, dwfl_errmsg(-1));
  }
  result.read_segments();
  return result;
}

void ElfModule::read_segments() {
  size_t count = 0;
  if (elf_getphdrnum(elf_, &count) != 0) return;
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf_, static_cast<int>(i), &header) == nullptr) return;
    if (header.p_type != PT_LOAD) continue;
    segments_.push_back(
        {header.p_offset, header.p_filesz, header.p_vaddr, header.p_memsz, (header.p_flags & PF_X) != 0});
  }
}

std::string ElfModule::build_id() const { return build_id_of(elf_); }

bool ElfModule::is_x86_64() const {
  GElf_Ehdr header;
  return gelf_getehdr(elf_, &header) != nullptr && header.e_machine == EM_X86_64;
}

bool ElfModule::is_position_independent() const {
  GElf_Ehdr header;
  return gelf_getehdr(elf_, &header) == nullptr || header.e_type != ET_EXEC;
}

std::optional<uint64_t> ElfModule::address_of_offset(uint64_t file_offset) const {
  for (const Segment& segment : segments_) {
    if (file_offset - segment.file_offset < segment.file_size) {
      return segment.address + (file_offset - segment.file_offset);
    }
  }
  return std::nullopt;
}

std::optional<uint64_t> ElfModule::load_bias(uint64_t start, uint64_t file_offset, bool executable) const {
  constexpr uint64_t kPageMask = 4095;
  for (const Segment& segment : segments_) {
    uint64_t first = segment.file_offset & ~kPageMask;
    uint64_t bytes = segment.file_size + (segment.file_offset - first);
    if (segment.executable != executable || file_offset - first >= bytes) continue;
    return start - (segment.address - segment.file_offset + file_offset);
  }
  return std::nullopt;
}

bool ElfModule::loads(uint64_t address) const {
  return std::ranges::any_of(segments_, [address](const Segment& segment) {
    return address - segment.address < segment.memory_size;
  });
}

std::optional<uint64_t> ElfModule::offset_of_address(uint64_t address) const {
  for (const Segment& segment : segments_) {
    if (address - segment.address < segment.file_size)
      return segment.file_offset + (address - segment.address);
  }
  return std::nullopt;
}

std::string ElfModule::section_at(uint64_t address) const {
  size_t names = 0;
  if (elf_getshdrstrndx(elf_, &names) != 0) return {};
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) return {};
    // .tbss takes no place where its address says.
    bool loaded = (header.sh_flags & SHF_ALLOC) != 0 &&
                  !((header.sh_flags & SHF_TLS) != 0 && header.sh_type == SHT_NOBITS);
    if (!loaded || address - header.sh_addr >= header.sh_size) continue;
    const char* name = elf_strptr(elf_, names, header.sh_name);
    return name == nullptr ? std::string() : std::string(name);
  }
  return {};
}

std::vector<ElfModule::Code> ElfModule::code_segments() const {
  std::vector<Code> code;
  for (const Segment& segment : segments_) {
    if (segment.executable) code.push_back({segment.address, bytes_at(segment.address, segment.file_size)});
  }
  return code;
}

Bytes ElfModule::bytes_at(uint64_t address, uint64_t size) const {
  for (const Segment& segment : segments_) {
    uint64_t inside = address - segment.address;
    if (inside >= segment.file_size) continue;
    uint64_t length = std::min(size, segment.file_size - inside);
    size_t image_bytes = 0;
    const char* image = elf_rawfile(elf_, &image_bytes);
    uint64_t offset = segment.file_offset + inside;
    if (image == nullptr || offset > image_bytes || length > image_bytes - offset) return {};
    return {reinterpret_cast<const std::byte*>(image) + offset, length};
  }
  return {};
}

}  // namespace hm::symbol
