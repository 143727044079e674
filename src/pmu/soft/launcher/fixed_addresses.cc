// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/fixed_addresses.h"

#include <sys/personality.h>

#include <optional>
#include <string>

#include "base/text_file.h"

namespace hm::soft {
namespace {

constexpr unsigned long kOnlyRead = 0xffffffff;

// Returns true if the whole machine has no address randomization.
bool are_never_random() {
  std::optional<std::string> value = read_text("/proc/sys/kernel/randomize_va_space");
  return value && value->starts_with('0');
}

}  // namespace

bool can_fix_addresses() {
  int before = ::personality(kOnlyRead);
  if (before == -1) return are_never_random();
  if ((before & ADDR_NO_RANDOMIZE) != 0) return true;
  fix_addresses();
  bool is_fixed = (::personality(kOnlyRead) & ADDR_NO_RANDOMIZE) != 0;
  if (is_fixed) ::personality(static_cast<unsigned long>(before));
  return is_fixed || are_never_random();
}

void fix_addresses() {
  int before = ::personality(kOnlyRead);
  ::personality((before == -1 ? 0 : static_cast<unsigned long>(before)) | ADDR_NO_RANDOMIZE);
}

}  // namespace hm::soft
