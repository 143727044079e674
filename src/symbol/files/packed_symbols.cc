// SPDX-License-Identifier: MIT
#include "symbol/files/packed_symbols.h"

#include <gelf.h>
#include <lzma.h>

#include <string_view>
#include <vector>

namespace hm::symbol {
namespace {

constexpr uint64_t kMostBytes = uint64_t{64} << 20;
constexpr uint64_t kMostMemory = uint64_t{128} << 20;  // that unpacking takes; xz -9 asks for 65 MiB
constexpr size_t kPieceBytes = size_t{1} << 16;

// Unpacks as elfutils does, but keeps nothing. What is damaged ends before it is too large.
bool unpacks_to_little(const Elf_Data& packed) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_auto_decoder(&stream, kMostMemory, 0) != LZMA_OK) return false;
  stream.next_in = static_cast<const uint8_t*>(packed.d_buf);
  stream.avail_in = packed.d_size;
  std::vector<uint8_t> piece(kPieceBytes);
  lzma_ret status = LZMA_OK;
  while (status == LZMA_OK && stream.total_out <= kMostBytes) {
    stream.next_out = piece.data();
    stream.avail_out = piece.size();
    status = lzma_code(&stream, stream.avail_in == 0 ? LZMA_FINISH : LZMA_RUN);
  }
  bool little = stream.total_out <= kMostBytes && status != LZMA_MEMLIMIT_ERROR;
  lzma_end(&stream);
  return little;
}

}  // namespace

bool packed_symbols_are_modest(Elf* elf) {
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return true;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    const char* name =
        gelf_getshdr(section, &header) == nullptr ? nullptr : elf_strptr(elf, names, header.sh_name);
    if (name == nullptr || std::string_view(name) != ".gnu_debugdata") continue;
    Elf_Data* data = elf_rawdata(section, nullptr);
    if (data != nullptr && data->d_buf != nullptr && !unpacks_to_little(*data)) return false;
  }
  return true;
}

}  // namespace hm::symbol
