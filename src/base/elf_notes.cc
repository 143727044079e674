// SPDX-License-Identifier: MIT
#include "base/elf_notes.h"

#include <elf.h>

namespace hm {

// The name and the descriptor are padded to 4 bytes.
Bytes build_id_in_notes(Bytes notes) {
  auto padded = [](size_t size) { return (size + 3) / 4 * 4; };
  ByteReader reader(notes);
  while (reader.ok() && reader.remaining() > 0) {
    size_t name_size = reader.u32();
    size_t size = reader.u32();
    uint32_t type = reader.u32();
    std::string_view name = reader.text(padded(name_size));
    Bytes descriptor = reader.take(padded(size));
    if (reader.ok() && type == NT_GNU_BUILD_ID && name == "GNU") return descriptor.first(size);
  }
  return {};
}

}  // namespace hm
