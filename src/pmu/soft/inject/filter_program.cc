// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/filter_program.h"

#include <linux/audit.h>
#include <linux/seccomp.h>

#include <array>
#include <cstddef>
#include <optional>

namespace hm::soft {
namespace {

using Value = std::optional<uint32_t>;  // nullopt: unknown

struct Registers {
  Value a = 0, x = 0;
  std::array<Value, BPF_MEMWORDS> memory{};
};

uint32_t action_of(uint32_t result) { return result & SECCOMP_RET_ACTION_FULL; }

bool permits(uint32_t result) {
  return action_of(result) == SECCOMP_RET_ALLOW || action_of(result) == SECCOMP_RET_LOG;
}

// Follows all paths of a filter that a system call may take. A condition on an unknown value has two.
class Walk {
 public:
  Walk(FilterProgram filter, uint32_t system_call) : filter_(filter), system_call_(system_call) {}

  [[nodiscard]] bool always_permits() { return permits_from(0, {}); }

 private:
  static constexpr unsigned kMaxSteps = 1u << 20;

  // Returns true if all paths from the instruction on end with a permission.
  bool permits_from(size_t at, Registers now) {
    while (at < filter_.size() && ++steps_ <= kMaxSteps) {
      const sock_filter& each = filter_[at++];
      switch (BPF_CLASS(each.code)) {
        case BPF_RET: {
          Value result = BPF_RVAL(each.code) == BPF_A ? now.a : Value(each.k);
          return result && permits(*result);
        }
        case BPF_JMP: {
          if (BPF_OP(each.code) == BPF_JA) {
            at += each.k;
            break;
          }
          std::optional<bool> taken = condition(each, now);
          if (!taken && !permits_from(at + each.jt, now)) return false;
          at += taken.value_or(false) ? each.jt : each.jf;
          break;
        }
        case BPF_MISC:
          BPF_MISCOP(each.code) == BPF_TAX ? now.x = now.a : now.a = now.x;
          break;
        case BPF_ST:
        case BPF_STX:
          if (each.k >= BPF_MEMWORDS) return false;
          now.memory[each.k] = BPF_CLASS(each.code) == BPF_ST ? now.a : now.x;
          break;
        case BPF_LD:
          now.a = loaded(each, now);
          break;
        case BPF_LDX:
          now.x = loaded(each, now);
          break;
        default:
          now.a = computed(each, now);
      }
    }
    return false;
  }

  [[nodiscard]] Value loaded(const sock_filter& each, const Registers& now) const {
    switch (BPF_MODE(each.code)) {
      case BPF_ABS:
        if (each.k == offsetof(seccomp_data, nr)) return system_call_;
        if (each.k == offsetof(seccomp_data, arch)) return AUDIT_ARCH_X86_64;
        return std::nullopt;
      case BPF_IMM:
        return each.k;
      case BPF_MEM:
        return each.k < BPF_MEMWORDS ? now.memory[each.k] : std::nullopt;
      case BPF_LEN:
        return sizeof(seccomp_data);
      default:
        return std::nullopt;
    }
  }

  static Value operand(const sock_filter& each, const Registers& now) {
    return BPF_SRC(each.code) == BPF_X ? now.x : Value(each.k);
  }

  static std::optional<bool> condition(const sock_filter& each, const Registers& now) {
    Value with = operand(each, now);
    if (!now.a || !with) return std::nullopt;
    switch (BPF_OP(each.code)) {
      case BPF_JEQ:
        return *now.a == *with;
      case BPF_JGT:
        return *now.a > *with;
      case BPF_JGE:
        return *now.a >= *with;
      case BPF_JSET:
        return (*now.a & *with) != 0;
      default:
        return std::nullopt;
    }
  }

  static Value computed(const sock_filter& each, const Registers& now) {
    if (BPF_OP(each.code) == BPF_NEG) return now.a ? Value(0u - *now.a) : std::nullopt;
    Value with = operand(each, now);
    if (!now.a || !with) return std::nullopt;
    switch (BPF_OP(each.code)) {
      case BPF_ADD:
        return *now.a + *with;
      case BPF_SUB:
        return *now.a - *with;
      case BPF_MUL:
        return *now.a * *with;
      case BPF_AND:
        return *now.a & *with;
      case BPF_OR:
        return *now.a | *with;
      case BPF_XOR:
        return *now.a ^ *with;
      case BPF_LSH:
        return *with < 32 ? Value(*now.a << *with) : std::nullopt;
      case BPF_RSH:
        return *with < 32 ? Value(*now.a >> *with) : std::nullopt;
      case BPF_DIV:
        return *with != 0 ? Value(*now.a / *with) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  FilterProgram filter_;
  uint32_t system_call_;
  unsigned steps_ = 0;
};

}  // namespace

bool allows(FilterProgram filter, uint32_t system_call) { return Walk(filter, system_call).always_permits(); }

bool only_refuses(FilterProgram filter) {
  for (const sock_filter& each : filter) {
    if (BPF_CLASS(each.code) != BPF_RET) continue;
    if (BPF_RVAL(each.code) == BPF_A) return false;
    uint32_t action = action_of(each.k);
    bool ends = action == SECCOMP_RET_KILL_PROCESS || action == SECCOMP_RET_KILL_THREAD;
    if (!permits(each.k) && !ends && action != SECCOMP_RET_ERRNO) return false;
  }
  return true;
}

}  // namespace hm::soft
