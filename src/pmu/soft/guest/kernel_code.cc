// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/kernel_code.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "base/hex.h"
#include "base/take_until.h"

namespace hm::soft::guest {
namespace {

constexpr uint64_t kCodePage = 4096, kMaxCodeBytes = uint64_t{1} << 26;

uint64_t address_of(std::string_view kallsyms, std::string_view name) {
  while (!kallsyms.empty()) {
    std::string_view line = take_until(kallsyms, '\n');
    std::string_view address = take_until(line, ' ');
    (void)take_until(line, ' ');
    if (line == name) return hex_number(address).value_or(0);
  }
  return 0;
}

// A line "NAME SIZE USERS USED_BY STATE 0xADDRESS" of /proc/modules.
CodeRange range_of_module(std::string_view line) {
  (void)take_until(line, ' ');
  uint64_t bytes = 0;
  for (char digit : take_until(line, ' ')) bytes = bytes * 10 + static_cast<uint64_t>(digit - '0');
  for (int field = 0; field < 3; ++field) (void)take_until(line, ' ');
  return {hex_number(take_until(line, ' ')).value_or(0), bytes};
}

void append(std::string& to, const void* bytes, size_t count) {
  to.append(static_cast<const char*>(bytes), count);
}

}  // namespace

std::vector<CodeRange> code_ranges(std::string_view kallsyms, std::string_view modules) {
  std::vector<CodeRange> ranges;
  uint64_t start = address_of(kallsyms, "_text"), end = address_of(kallsyms, "_etext");
  if (start == 0 || end <= start) return ranges;
  ranges.push_back({start, end - start});
  while (!modules.empty()) ranges.push_back(range_of_module(take_until(modules, '\n')));
  std::erase_if(ranges, [](const CodeRange& each) { return each.start == 0 || each.bytes > kMaxCodeBytes; });
  return ranges;
}

std::string kernel_code(const KernelMemory& memory, const std::vector<CodeRange>& ranges) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = header.e_version = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = EM_X86_64;
  header.e_phoff = header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = static_cast<uint16_t>(ranges.size());
  std::string file;
  append(file, &header, sizeof(header));
  uint64_t offset = kCodePage;  // the headers of a few dozen modules fit before it
  offset *= (sizeof(header) + ranges.size() * sizeof(Elf64_Phdr) + kCodePage - 1) / kCodePage;
  for (const CodeRange& each : ranges) {
    Elf64_Phdr segment{};
    segment.p_type = PT_LOAD;
    segment.p_flags = PF_R | PF_X;
    segment.p_offset = offset;
    segment.p_vaddr = segment.p_paddr = each.start;
    segment.p_filesz = segment.p_memsz = each.bytes;
    segment.p_align = kCodePage;
    append(file, &segment, sizeof(segment));
    offset += (each.bytes + kCodePage - 1) / kCodePage * kCodePage;
  }
  size_t at = (file.size() + kCodePage - 1) / kCodePage * kCodePage;
  file.resize(offset);
  for (const CodeRange& each : ranges) {
    for (uint64_t done = 0; done < each.bytes; done += kCodePage, at += kCodePage)
      memory.copy(each.start + done, file.data() + at,
                  static_cast<uint32_t>(std::min(kCodePage, each.bytes - done)));
  }
  return file;
}

}  // namespace hm::soft::guest
