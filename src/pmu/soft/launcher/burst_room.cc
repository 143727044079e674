// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/burst_room.h"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <span>
#include <string_view>

#include "base/mapped_file.h"
#include "base/text_file.h"
#include "model/geometry.h"
#include "pmu/soft/direct/core/touch_table.h"
#include "pmu/soft/inject/address_ranges.h"

namespace hm::soft {
namespace {

// Returns the structure at `offset` of the file, or zeros if the file is too short.
template <typename T>
T file_structure(Bytes file, uint64_t offset) {
  T found{};
  if (offset <= file.size() && sizeof(T) <= file.size() - offset)
    std::memcpy(&found, file.data() + offset, sizeof(T));
  return found;
}

std::string_view text_of_section(Bytes file, const Elf64_Shdr& section) {
  if (section.sh_offset > file.size() || section.sh_size > file.size() - section.sh_offset) return {};
  return {reinterpret_cast<const char*>(file.data()) + section.sh_offset, section.sh_size};
}

Error no_room(pid_t process, std::string_view why) {
  return make_error(
      ErrorCode::kUnsupported,
      "process {} goes unmeasured: {} of its address space, and bursts need one of 8 TiB; start the program with --detail exact",
      process, why);
}

}  // namespace

bool uses_thread_sanitizer(const std::string& path) {
  auto program = MappedFile::open(path);
  if (!program) return false;
  Bytes file = program->bytes();
  auto header = file_structure<Elf64_Ehdr>(file, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return false;
  const auto section = [&](uint64_t number) {
    return file_structure<Elf64_Shdr>(file, header.e_shoff + number * sizeof(Elf64_Shdr));
  };
  constexpr std::string_view kName("\0__tsan_init\0", 13);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr symbols = section(i);
    if (symbols.sh_type != SHT_DYNSYM) continue;
    return text_of_section(file, section(symbols.sh_link)).find(kName) != std::string_view::npos;
  }
  return false;
}

Status has_room_for_bursts(const Session& session, pid_t process) {
  if (session.bursts.slots == 0) return {};
  uint64_t needed =
      direct::kTouchTableOffset + direct::touch_table_bytes(model::log2_of(session.geometry.line_bytes));
  std::string maps = read_text(fmt::format("/proc/{}/maps", process)).value_or("");
  if (largest_free_range(maps) < needed) return no_room(process, "it leaves no long range");
  if (uses_thread_sanitizer(fmt::format("/proc/{}/exe", process)))
    return no_room(process, "its ThreadSanitizer leaves no long range");
  return {};
}

}  // namespace hm::soft
