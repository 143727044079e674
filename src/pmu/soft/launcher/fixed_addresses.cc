// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/fixed_addresses.h"

#include <sys/personality.h>

namespace hm::soft {
namespace {

constexpr unsigned long kOnlyRead = 0xffffffff;

}  // namespace

bool can_fix_addresses() {
  int before = ::personality(kOnlyRead);
  if (before == -1) return false;
  if ((before & ADDR_NO_RANDOMIZE) != 0) return true;
  fix_addresses();
  bool is_fixed = (::personality(kOnlyRead) & ADDR_NO_RANDOMIZE) != 0;
  if (is_fixed) ::personality(static_cast<unsigned long>(before));
  return is_fixed;
}

void fix_addresses() {
  int before = ::personality(kOnlyRead);
  ::personality((before == -1 ? 0 : static_cast<unsigned long>(before)) | ADDR_NO_RANDOMIZE);
}

}  // namespace hm::soft
