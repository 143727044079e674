// SPDX-License-Identifier: MIT
// Where copied code is left: finds or makes what comes next, and links it.
#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/memory.h"

namespace hm::soft::direct {

constinit Lock g_translation;

const Block& block_at(uint64_t target) {
  if (const Block* known = find_block(target)) return *known;
  static Superblock source;
  read_superblock(target, source);
  Block copy = Translator(g_plan, arena_near(target)).translate(source);
  return *add_block(copy);
}

void forget_indirect_targets(Core& core) {
  constexpr uint64_t kNoCode = 1;  // looked up in the second place only
  for (IndirectTarget& each : core.indirect) each.target = kNoCode;
}

namespace {

void remember_indirect(Core& core, const Block& block) {
  core.indirect[(block.source & kIndirectMask) >> 2] = {block.source, reinterpret_cast<uint64_t>(block.code)};
}

[[noreturn]] void meet_undecodable(const Core& core) {
  uint64_t ip = core.context.ip;
  uint64_t end = executable_end(ip);
  write_notice(undecodable_notice(core.thread->pid, ip, end > ip ? end - ip : 0));
  give_up("hardmeter: the program came to an instruction that the copying engine cannot run\n");
}

}  // namespace
}  // namespace hm::soft::direct

extern "C" const uint8_t* hm_next_code(hm::soft::direct::Core* left) {
  using namespace hm::soft::direct;
  Core* core = left;
  auto exit = static_cast<uint32_t>(core->exit);
  if (exit == kExitUndecodable) meet_undecodable(*core);
  if (exit == kExitSystemCall) core = &do_system_call(*core);
  Guard guard(g_translation);
  if (exit >= kFirstExit) {
    const Block& next = block_at(target_of_exit(exit));
    link_exit(exit, next);
    return next.code;
  }
  const Block& next = block_at(core->context.ip);
  if (exit == kExitIndirect) remember_indirect(*core, next);
  return next.code;
}
