// SPDX-License-Identifier: MIT
// The program in bin/ of the release archive. It starts lib/hardmeter/programs/hardmeter with the archive's
// own C library, as a kernel would (execve(2)), so that hardmeter runs on systems with an older, newer or
// other C library. An ordinary start of the C library's dynamic linker with the program as its argument would
// show the linker's name and options in ps(1), and in /proc/self/exe, by which hardmeter finds its engines.
#include <elf.h>

#include <initializer_list>

#include "pmu/soft/ring/system_call.h"
#include "portable/image.h"

namespace hm::portable {
namespace {

using soft::pointer_argument;
using soft::system_call;

constexpr uint64_t kMaxPath = 4096;
constexpr char kProgram[] = "/lib/hardmeter/programs/hardmeter";
constexpr char kLinker[] = "/lib/hardmeter/ld-linux-x86-64.so.2";

struct AuxiliaryValue {
  uint64_t type;
  uint64_t value;
};

uint64_t length_of(const char* text) {
  uint64_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

void print(const char* text) {
  constexpr int64_t kSysWrite = 1, kStandardError = 2;
  system_call(kSysWrite, kStandardError, pointer_argument(text), static_cast<int64_t>(length_of(text)));
}

[[noreturn]] void give_up(const char* path, const char* problem) {
  constexpr int64_t kSysExitGroup = 231, kCannotExecute = 127;
  for (const char* part : {"hardmeter: cannot start: ", path, ": ", problem, "\n"}) print(part);
  for (;;) system_call(kSysExitGroup, kCannotExecute);
}

// A path that grows part by part.
class Path {
 public:
  void append(const char* text) {
    for (; *text != 0; ++text) {
      if (length_ + 1 == kMaxPath) give_up(text_, "the path is too long");
      text_[length_++] = *text;
    }
    text_[length_] = 0;
  }

  // Reads where this program is.
  void read_own() {
    constexpr int64_t kSysReadlink = 89;
    constexpr char kOwn[] = "/proc/self/exe";
    int64_t length = system_call(kSysReadlink, pointer_argument(kOwn), pointer_argument(text_), kMaxPath - 1);
    if (soft::failed(length)) give_up(kOwn, "cannot be read; mount /proc");
    length_ = static_cast<uint64_t>(length);
    text_[length_] = 0;
  }

  void cut_last_part() {
    while (length_ > 0 && text_[length_] != '/') --length_;
    text_[length_] = 0;
  }

  [[nodiscard]] const char* text() const { return text_; }

 private:
  char text_[kMaxPath]{};
  uint64_t length_ = 0;
};

Image map_file(const char* path) {
  constexpr int64_t kCurrentFolder = -100, kCloseOnExec = 02000000;
  int64_t fd = system_call(soft::kSysOpenat, kCurrentFolder, pointer_argument(path), kCloseOnExec);
  if (soft::failed(fd)) give_up(path, "cannot be opened; unpack hardmeter's archive again");
  Image image = ImageFile(fd).map();
  if (image.header_count == 0) give_up(path, "cannot be mapped; unpack hardmeter's archive again");
  system_call(soft::kSysClose, fd);
  return image;
}

// Finds the auxiliary vector: above the arguments and the environment (System V ABI, AMD64
// supplement, 3.4.1).
AuxiliaryValue* auxiliary_vector(uint64_t* stack) {
  uint64_t* environment = stack + 1 + stack[0] + 1;
  while (*environment != 0) ++environment;
  return reinterpret_cast<AuxiliaryValue*>(environment + 1);
}

// Describes the program to the linker as if the kernel had mapped both.
void describe(AuxiliaryValue* values, const Image& program, const Image& linker) {
  for (; values->type != AT_NULL; ++values) {
    switch (values->type) {
      case AT_PHDR:
        values->value = program.headers;
        break;
      case AT_PHNUM:
        values->value = program.header_count;
        break;
      case AT_ENTRY:
        values->value = program.entry;
        break;
      case AT_BASE:
        values->value = linker.bias;
        break;
      default:
        break;
    }
  }
}

}  // namespace
}  // namespace hm::portable

// Returns the address of the linker's first instruction.
extern "C" uint64_t hm_load(uint64_t* stack) {
  using namespace hm::portable;
  Path root;
  root.read_own();  // ROOT/bin/hardmeter
  root.cut_last_part();
  root.cut_last_part();
  Path program, linker;
  for (const char* part : {root.text(), kProgram}) program.append(part);
  for (const char* part : {root.text(), kLinker}) linker.append(part);

  Image program_image = map_file(program.text());
  Image linker_image = map_file(linker.text());
  describe(auxiliary_vector(stack), program_image, linker_image);
  return linker_image.entry;
}

// rdx is the function that the C library is to call at exit: none.
asm(R"(
  .globl hm_start
hm_start:
  xor %ebp, %ebp
  mov %rsp, %rbx
  mov %rsp, %rdi
  and $-16, %rsp
  call hm_load
  mov %rbx, %rsp
  xor %edx, %edx
  jmp *%rax
)");
