// SPDX-License-Identifier: MIT
#include "profile/stack_walker.h"

#include <asm/perf_regs.h>

#include <algorithm>
#include <optional>

#include "profile/register_values.h"
#include "symbol/unwind/unwind.h"

namespace hm::profile {

void StackWalker::walk(const NumberedSpace& space, const record::Sample& sample,
                       std::vector<uint64_t>& places) {
  symbol::RegisterValues registers = register_values(sample.user_regs);
  std::optional<uint64_t> stack_pointer = registers.at(PERF_REG_X86_SP);
  if (!stack_pointer) return;
  const record::UserStack& stack = sample.user_stack;
  Bytes copied = stack.bytes.first(std::min<uint64_t>(stack.used_bytes, stack.bytes.size()));
  symbol::unwind(
      registers, symbol::StackCopy(*stack_pointer, copied),
      [&](uint64_t address) { return rule_at(space, address); }, places);
}

const symbol::FrameRule* StackWalker::rule_at(const NumberedSpace& space, uint64_t address) {
  return known_.find(space.version, address, [&]() -> const symbol::FrameRule* {
    const Mapping* mapping = space.mappings.find(address);
    if (mapping == nullptr) return nullptr;
    return rules_.at({mapping->dso, mapping->offset + (address - mapping->start)});
  });
}

}  // namespace hm::profile
