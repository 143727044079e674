// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"

namespace hm {

// Returns the GNU build ID in ELF notes, for example those of /sys/kernel/notes: elf(5), "Notes (Nhdr)". The
// result points into `notes`; it is empty if the notes contain no build ID.
[[nodiscard]] Bytes build_id_in_notes(Bytes notes);

}  // namespace hm
