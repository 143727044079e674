// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/injector.h"

#include <elf.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>

#include <cerrno>
#include <cstring>

#include "base/mapped_file.h"
#include "pmu/soft/inject/passed_folder.h"
#include "pmu/soft/inject/process_limits.h"
#include "pmu/soft/inject/process_memory.h"
#include "pmu/soft/inject/remote_calls.h"
#include "pmu/soft/inject/trampoline.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {
namespace {

constexpr uint64_t page_down(uint64_t address) { return address & ~(kPageBytes - 1); }
constexpr uint64_t page_up(uint64_t address) { return page_down(address + kPageBytes - 1); }

Error engine_error(const std::string& path, const char* what) {
  return make_error(ErrorCode::kDamaged, "the copying engine {} {}; build or install hardmeter again", path,
                    what);
}

int protection_of(uint32_t flags) {
  return ((flags & PF_R) != 0 ? PROT_READ : 0) | ((flags & PF_W) != 0 ? PROT_WRITE : 0) |
         ((flags & PF_X) != 0 ? PROT_EXEC : 0);
}

}  // namespace

direct::StartInfo start_info(const user_regs_struct& from, uint64_t signal_mask,
                             const std::string& session_folder) {
  direct::StartInfo start{};
  const uint64_t by_number[16] = {from.rax, from.rcx, from.rdx, from.rbx, from.rsp, from.rbp,
                                  from.rsi, from.rdi, from.r8,  from.r9,  from.r10, from.r11,
                                  from.r12, from.r13, from.r14, from.r15};
  std::memcpy(start.registers, by_number, sizeof(by_number));
  start.ip = from.rip;
  start.flags = from.eflags;
  start.fs_base = from.fs_base;
  start.signal_mask = signal_mask;
  start.magic = direct::kStartMagic;
  start.folder_descriptor = -1;
  session_folder.copy(start.session_folder, sizeof(start.session_folder) - 1);
  return start;
}

Result<EngineImage> read_engine_image(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) return file.error();
  Bytes bytes = file->bytes();
  Elf64_Ehdr header;
  if (bytes.size() < sizeof(header)) return engine_error(path, "is cut off");
  std::memcpy(&header, bytes.data(), sizeof(header));
  uint64_t table_bytes = uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
  bool is_program =
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_phentsize == sizeof(Elf64_Phdr);
  if (!is_program || header.e_phoff > bytes.size() || table_bytes > bytes.size() - header.e_phoff)
    return engine_error(path, "is no program");
  EngineImage image;
  image.entry = header.e_entry;
  image.begin = ~uint64_t{0};
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part;
    std::memcpy(&part, bytes.data() + header.e_phoff + i * sizeof(part), sizeof(part));
    if (part.p_type != PT_LOAD || part.p_memsz == 0) continue;
    if (part.p_offset > bytes.size() || part.p_filesz > bytes.size() - part.p_offset ||
        part.p_filesz > part.p_memsz)
      return engine_error(path, "is cut off");
    EngineImage::Segment segment{page_down(part.p_vaddr), {}, protection_of(part.p_flags)};
    uint64_t before = part.p_vaddr - segment.address;
    segment.bytes.resize(page_up(before + part.p_filesz));
    std::memcpy(segment.bytes.data() + before, bytes.data() + part.p_offset, part.p_filesz);
    image.begin = std::min(image.begin, segment.address);
    image.end = std::max(image.end, page_up(part.p_vaddr + part.p_memsz));
    image.segments.push_back(std::move(segment));
  }
  if (image.segments.empty()) return engine_error(path, "has nothing to load");
  return image;
}

namespace {

Status point_at_engine(pid_t process, const user_regs_struct& begin, const EngineImage& image) {
  user_regs_struct registers = begin;
  registers.rip = image.entry;
  registers.rdi = image.end;
  registers.orig_rax = ~uint64_t{0};
  if (::ptrace(PTRACE_SETREGS, process, nullptr, &registers) != 0)
    return injection_error(process, "start the engine");
  return {};
}

Status write_area(pid_t process, const RemoteCalls& remote, const EngineImage& image,
                  const std::string& session_folder, int folder_descriptor) {
  uint64_t mask = 0;
  if (::ptrace(static_cast<__ptrace_request>(PTRACE_GETSIGMASK), process, sizeof(mask), &mask) != 0)
    return injection_error(process, "read its signal mask");
  direct::StartInfo start = start_info(remote.registers(), mask, session_folder);
  start.folder_descriptor = folder_descriptor;
  direct::Attachment attachment{};
  attachment.taken_over = 1;
  // Without a trampoline the program cannot leave the engine, but that is rarely needed.
  if (auto trampoline = Trampoline::put(process, process)) attachment.trampoline = trampoline->address();
  if (!write_memory(process, image.end, &start, sizeof(start)) ||
      !write_memory(process, image.end + offsetof(direct::ProcessArea, attachment), &attachment,
                    sizeof(attachment)))
    return injection_error(process, "write its start");
  return {};
}

}  // namespace

namespace {

Status write_image(pid_t process, const EngineImage& image, const RemoteCall& call) {
  for (const EngineImage::Segment& segment : image.segments) {
    if (!write_memory(process, segment.address, segment.bytes.data(), segment.bytes.size()))
      return injection_error(process, "write the engine");
    if (segment.protection == (PROT_READ | PROT_WRITE)) continue;
    auto protected_now = call(SYS_mprotect, segment.address, segment.bytes.size(),
                              static_cast<uint64_t>(segment.protection), 0, 0, 0);
    if (!protected_now) return protected_now.error();
  }
  return {};
}

}  // namespace

Status map_engine(pid_t process, const EngineImage& image, const RemoteCall& call) {
  auto mapped = call(SYS_mmap, image.begin, image.bytes(), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, ~uint64_t{0}, 0);
  if (!mapped) return mapped.error();
  Status written;
  if (*mapped == image.begin) {
    written = write_image(process, image, call);
  } else {  // kernels before 4.17 ignore MAP_FIXED_NOREPLACE
    errno = EEXIST;
    written = injection_error(process, "map it");
  }
  if (!written) (void)call(SYS_munmap, *mapped, image.bytes(), 0, 0, 0, 0);
  return written;
}

namespace {

Status inject_within_limits(pid_t process, const EngineImage& image, const std::string& session_folder) {
  RemoteCalls remote(process);
  RemoteCall call = [&](long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) {
    return remote.call(number, a, b, c, d, e, f);
  };
  Status status = remote.begin();
  if (status.ok()) status = map_engine(process, image, call);
  Result<int> passed = -1;
  if (status.ok() && !finds_session(process, session_folder))
    passed = pass_folder(process, call, image.end, session_folder);
  if (status.ok() && !passed) status = passed.error();
  if (status.ok()) status = write_area(process, remote, image, session_folder, *passed);
  if (Status ended = remote.end(); status.ok()) status = ended;
  return status.ok() ? point_at_engine(process, remote.registers(), image) : status;
}

}  // namespace

Status inject_engine(pid_t process, const EngineImage& image, const std::string& session_folder) {
  Status status = add_limit_reserves(process);
  if (status.ok()) status = inject_within_limits(process, image, session_folder);
  if (!status.ok()) remove_limit_reserves(process);
  return status;
}

uint64_t EngineImage::bytes() const { return end - begin + page_up(sizeof(direct::ProcessArea)); }

}  // namespace hm::soft
