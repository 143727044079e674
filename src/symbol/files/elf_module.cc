// SPDX-License-Identifier: MIT
#include "symbol/files/elf_module.h"

#include <elfutils/libdwfl.h>
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
#include <filesystem>

#include "base/mapped_file.h"
#include "base/write_all.h"
#include "symbol/files/build_id.h"
#include "symbol/files/split_units.h"
#include "symbol/files/unit_ranges.h"
#include "symbol/files/zstd_sections.h"

namespace hm::symbol {
namespace {

// Returns the existing files that libdwfl considers for a debug link.
std::vector<std::string> linked_files(const DebugFiles& files, const char* file, const char* link) {
  std::vector<std::string> found;
  if (file == nullptr || link == nullptr) return found;
  std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::vector<std::filesystem::path> places{folder, folder / ".debug"};
  for (const std::filesystem::path& root : files.roots()) places.push_back(root / folder.relative_path());
  for (const std::filesystem::path& each : places) {
    std::error_code error;
    if (std::filesystem::exists(each / link, error)) found.push_back((each / link).string());
  }
  return found;
}

// Returns a descriptor of the debug file without sections of zstd, which may replace `fd`.
int readable(int fd) {
  if (fd < 0) return fd;
  Result<UniqueFd> copy = copy_without_zstd(fd);
  if (!copy || !copy->valid()) return fd;
  ::close(fd);
  return copy->release();
}

// Returns a descriptor of a linked debug file of a build with sections of zstd, without them; -1 if there is
// none. libdwfl does not use a descriptor that replaces one of its own search for a debug link.
int find_packed_file(const std::string& build_id, const std::vector<std::string>& linked) {
  if (build_id.empty()) return -1;
  for (const std::string& path : linked) {
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    Result<std::string> found = build_id_of(path);
    if (!fd.valid() || !found.ok() || *found != build_id) continue;
    Result<UniqueFd> copy = copy_without_zstd(fd.get());
    if (copy && copy->valid()) return copy->release();
  }
  return -1;
}

// A file as it is. libdw decompresses sections within its own image of the file, whose headers then no longer
// fit its contents.
using Unchanged = std::optional<MappedFile>;

Unchanged unchanged(int fd) {
  Result<MappedFile> file = MappedFile::open(fmt::format("/proc/self/fd/{}", fd));
  return file ? Unchanged(*std::move(file)) : Unchanged();
}

Bytes contents_of(const Unchanged& file) { return file ? file->bytes() : Bytes(); }

}  // namespace

// Configures how libdwfl looks for debug files, and keeps those that it has found.
struct ElfModule::Search {
  char* path;
  Dwfl_Callbacks callbacks;
  DebugFiles& files;
  Unchanged file, debug, shared;
};

namespace {

// A link without a checksum names the common file of dwz(1), not a debug file.
bool is_shared(const char* link, GElf_Word crc) { return link != nullptr && crc == 0; }

int find_in(DebugFiles& files, Dwfl_Module* module, void** user_data, const char* name, Dwarf_Addr base,
            const char* file, const char* link, GElf_Word crc, char** found) {
  Dwarf_Addr bias = 0;
  std::string build_id = build_id_of(dwfl_module_getelf(module, &bias));
  UniqueFd archived =
      files.open_archived(is_shared(link, crc) ? ArchivedKind::kShared : ArchivedKind::kDebug, "", build_id);
  if (archived.valid()) return readable(archived.release());
  std::vector<std::string> linked = linked_files(files, file, link);
  if (int fd = find_packed_file(build_id, linked); fd >= 0) return fd;
  return files.servers().find([&](bool may_ask) {
    auto find = may_ask || !linked.empty() ? dwfl_standard_find_debuginfo : dwfl_build_id_find_debuginfo;
    return readable(find(module, user_data, name, base, file, link, crc, found));
  });
}

bool has_elf_magic(int fd) {
  std::array<char, SELFMAG> magic{};
  return ::pread(fd, magic.data(), magic.size(), 0) == SELFMAG &&
         std::memcmp(magic.data(), ELFMAG, SELFMAG) == 0;
}

}  // namespace

int ElfModule::find_debug_file(Dwfl_Module* module, void** user_data, const char* name, Dwarf_Addr base,
                               const char* file, const char* link, GElf_Word crc, char** found) {
  auto* search = static_cast<Search*>(*user_data);
  int fd = find_in(search->files, module, user_data, name, base, file, link, crc, found);
  if (fd >= 0) (is_shared(link, crc) ? search->shared : search->debug) = unchanged(fd);
  return fd;
}

void ElfModule::EndSession::operator()(Dwfl* session) const { dwfl_end(session); }

ElfModule::ElfModule() = default;
ElfModule::~ElfModule() = default;
ElfModule::ElfModule(ElfModule&& other) noexcept = default;
ElfModule& ElfModule::operator=(ElfModule&& other) noexcept = default;

Result<ElfModule> ElfModule::open(const std::string& path, DebugFiles& debug_files) {
  // O_NONBLOCK: the path comes from the recording, and may name a pipe by now.
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
  return open(std::move(fd), path, debug_files);
}

Result<ElfModule> ElfModule::open(Bytes image, const std::string& name, DebugFiles& debug_files) {
  UniqueFd fd(::memfd_create("hardmeter-elf", MFD_CLOEXEC));
  if (!fd.valid() || !write_all(fd.get(), image)) {
    return make_error(ErrorCode::kIo, "cannot copy the image of '{}' to memory: {}", name, errno_text(errno));
  }
  return open(std::move(fd), name, debug_files);
}

Result<ElfModule> ElfModule::open(UniqueFd fd, const std::string& name, DebugFiles& debug_files) {
  if (!has_elf_magic(fd.get())) return make_error(ErrorCode::kDamaged, "'{}' is not an ELF file", name);
  fd.reset(readable(fd.release()));
  ElfModule result;
  result.search_ =
      std::make_unique<Search>(Search{.path = debug_files.path(),
                                      .callbacks = {.find_elf = nullptr,
                                                    .find_debuginfo = find_debug_file,
                                                    .section_address = dwfl_offline_section_address,
                                                    .debuginfo_path = nullptr},
                                      .files = debug_files,
                                      .file = unchanged(fd.get()),
                                      .debug = std::nullopt,
                                      .shared = std::nullopt});
  result.search_->callbacks.debuginfo_path = &result.search_->path;
  result.dwfl_.reset(dwfl_begin(&result.search_->callbacks));
  if (result.dwfl_ == nullptr)
    return make_error(ErrorCode::kIo, "elfutils does not start: {}", dwfl_errmsg(-1));
  debug_files.servers().watch(result.dwfl_.get());
  dwfl_report_begin(result.dwfl_.get());
  result.module_ = dwfl_report_offline(result.dwfl_.get(), name.c_str(), name.c_str(), fd.get());
  dwfl_report_end(result.dwfl_.get(), nullptr, nullptr);
  void** user_data = nullptr;
  if (result.module_ != nullptr) {
    (void)fd.release();  // libdwfl closes it
    (void)dwfl_module_info(result.module_, &user_data, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    *user_data = result.search_.get();
    result.elf_ = dwfl_module_getelf(result.module_, &result.bias_);
  }
  if (result.elf_ == nullptr) {
    return make_error(ErrorCode::kDamaged, "cannot read the ELF file '{}': {}", name, dwfl_errmsg(-1));
  }
  result.unit_ranges_ = std::make_unique<UnitRanges>(result.module_);
  result.split_units_ = std::make_unique<SplitUnits>(result.module_, debug_files);
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

Machine ElfModule::machine() const {
  GElf_Ehdr header;
  if (gelf_getehdr(elf_, &header) == nullptr) return {.elf = EM_NONE};
  return {.elf = header.e_machine,
          .is_64_bit = header.e_ident[EI_CLASS] == ELFCLASS64,
          .is_big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB};
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
    // .tbss occupies no memory at its address.
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

Bytes ElfModule::file() const { return contents_of(search_->file); }

Bytes ElfModule::debug_file() const {
  Dwarf_Addr bias = 0;
  Dwarf* debug = dwfl_module_getdwarf(module_, &bias);
  Elf* elf = debug == nullptr ? nullptr : dwarf_getelf(debug);
  return elf == nullptr || elf == elf_ ? Bytes() : contents_of(search_->debug);
}

Bytes ElfModule::shared_debug_file() const {
  Dwarf_Addr bias = 0;
  Dwarf* debug = dwfl_module_getdwarf(module_, &bias);
  return debug == nullptr || dwarf_getalt(debug) == nullptr ? Bytes() : contents_of(search_->shared);
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
