// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"

namespace hm {

// The GNU build ID in ELF notes, such as those of /sys/kernel/notes: elf(5), "Notes (Nhdr)". Empty if there
// is none. Points into `notes`.
[[nodiscard]] Bytes build_id_in_notes(Bytes notes);

}  // namespace hm
