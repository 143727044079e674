// SPDX-License-Identifier: MIT
#include "profile/call_chain.h"

#include <asm/perf_regs.h>

#include <algorithm>
#include <optional>

#include "profile/register_values.h"
#include "symbol/unwind/unwind.h"

namespace hm::profile {
namespace {

// The highest addresses in a call chain are not code addresses but markers for the mode of the entries that
// follow (perf_event_open(2)).
bool is_context(uint64_t ip) { return ip >= static_cast<uint64_t>(PERF_CONTEXT_MAX); }

Mode mode_behind(uint64_t context) {
  if (context == static_cast<uint64_t>(PERF_CONTEXT_KERNEL)) return Mode::kKernel;
  return context == static_cast<uint64_t>(PERF_CONTEXT_USER) ? Mode::kUser : Mode::kElsewhere;
}

bool is_user(const CodeAddress& place) { return place.mode == Mode::kUser; }

}  // namespace

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

const std::vector<CodeAddress>& CallChain::of(const perf_event_attr& attr, Mode mode,
                                              const NumberedSpace& space, const record::Sample& sample) {
  chain_.clear();
  add_recorded(mode, sample);
  if (record::is_call_stack(attr.branch_sample_type))
    take_calls(mode, sample);
  else if (!sample.user_stack.bytes.empty())
    walk(mode, space, sample);
  return chain_;
}

// Adds the recorded chain. If its last two words are a marker and a cookie, the user part comes from a
// deferred record.
void CallChain::add_recorded(Mode mode, const record::Sample& sample) {
  std::optional<uint64_t> cookie = record::deferred_cookie(sample.callchain);
  add(mode, sample.callchain, sample.callchain.size() - (cookie ? 2 : 0));
  if (!cookie) return;
  std::optional<record::U64View> user = recording_.deferred_chains.find(sample.tid, *cookie);
  if (user) add(Mode::kUser, *user, user->size());
  segment_.chains_without_user += user ? 0 : 1;
}

// Adds the first `count` entries. A caller's entry is a return address, which may already belong to the next
// line or function. The byte before it belongs to the call instruction.
void CallChain::add(Mode mode, const record::U64View& chain, size_t count) {
  bool interrupted = true;  // an instruction pointer, not a return address, is next
  for (size_t i = 0; i < count; ++i) {
    uint64_t ip = chain[i];
    if (is_context(ip)) {
      mode = mode_behind(ip);
      interrupted = true;
      continue;
    }
    chain_.push_back({mode, interrupted || ip == 0 ? ip : ip - 1});
    interrupted = false;
  }
}

// Keeps at least the sample's own place if the kernel part was not recorded.
void CallChain::keep_kernel_part(Mode mode, const record::Sample& sample) {
  std::erase_if(chain_, is_user);
  if (chain_.empty() && mode != Mode::kUser) chain_.push_back({mode, sample.ip});
}

void CallChain::walk(Mode mode, const NumberedSpace& space, const record::Sample& sample) {
  if (recording_.frame_rules == nullptr) return;
  if (!walker_) walker_.emplace(*recording_.frame_rules);
  walked_.clear();
  walker_->walk(space, sample, walked_);
  if (walked_.empty()) return;
  keep_kernel_part(mode, sample);
  for (uint64_t address : walked_) chain_.push_back({Mode::kUser, address});
}

// Adds the innermost place in user code, then each call.
void CallChain::take_calls(Mode mode, const record::Sample& sample) {
  if (sample.branches.empty() || sample.branches[0].from == 0) return;
  auto user = std::ranges::find_if(chain_, is_user);
  CodeAddress innermost{Mode::kUser, mode == Mode::kUser ? sample.ip : sample.branches[0].to};
  if (user != chain_.end()) innermost = *user;
  keep_kernel_part(mode, sample);
  chain_.push_back(innermost);
  for (size_t i = 0; i < sample.branches.size(); ++i) {
    if (uint64_t from = sample.branches[i].from; from != 0) chain_.push_back({Mode::kUser, from});
  }
}

}  // namespace hm::profile
