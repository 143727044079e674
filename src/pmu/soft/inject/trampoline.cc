// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/trampoline.h"

#include <fmt/format.h>
#include <sys/ptrace.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/text_file.h"
#include "pmu/soft/inject/process_memory.h"

namespace hm::soft {
namespace {

constexpr size_t kRoom = 32;  // in bytes; ptrace(2) writes them word by word
using Words = std::array<long, kRoom / sizeof(long)>;

// Returns the end of the vdso, or 0 if the process has none.
uint64_t end_of_vdso(pid_t process) {
  std::string maps = read_text(fmt::format("/proc/{}/maps", process)).value_or("");
  size_t name = maps.find("[vdso]");
  if (name == std::string::npos) return 0;
  size_t line = maps.rfind('\n', name) + 1;
  size_t dash = maps.find('-', line);
  uint64_t end = 0;
  std::from_chars(maps.data() + dash + 1, maps.data() + maps.size(), end, 16);
  return end;
}

bool poke(pid_t thread, uint64_t address, const Words& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (::ptrace(PTRACE_POKETEXT, thread, address + i * sizeof(long), words[i]) != 0) return false;
  }
  return true;
}

Words trampoline_words() {
  Words words{};
  std::memcpy(words.data(), direct::kTrampoline, sizeof(direct::kTrampoline));
  return words;
}

// True if the room is empty, or contains a trampoline or the part that was written before a launcher was
// killed.
bool is_ours(const Words& found) {
  Words whole = trampoline_words();
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i] != 0 && found[i] != whole[i]) return false;
  }
  return true;
}

}  // namespace

Result<Trampoline> Trampoline::put(pid_t process, pid_t thread) {
  uint64_t end = end_of_vdso(process), address = end - kRoom;
  Words found{};
  bool readable = end != 0 && read_memory(process, address, &found, sizeof(found));
  if (!readable || !is_ours(found))
    return make_error(
        ErrorCode::kUnsupported,
        "cannot attach to process {}: the kernel's code in it (vdso) has no room for the instructions by which it is left",
        process);
  if (!poke(thread, address, trampoline_words()))
    return make_error(ErrorCode::kIo, "cannot attach to process {}: could not write to its memory: {}",
                      process, errno_text(errno));
  return Trampoline(address);
}

void Trampoline::remove(pid_t thread) const { poke(thread, address_, Words{}); }

}  // namespace hm::soft
