// SPDX-License-Identifier: MIT
#include "symbol/unwind/frame_expression.h"

#include <dwarf.h>

#include <array>

namespace hm::symbol {
namespace {

// A stack machine. After a failure ok() stays false, and all results are meaningless.
class StackMachine {
 public:
  explicit StackMachine(const FrameView& frame) : frame_(frame) {}

  void run(const FrameOperation& operation) {
    bool known = run_constant(operation) || run_stack(operation) || run_unary(operation) ||
                 run_binary(operation) || run_frame(operation);
    if (!known) ok_ = false;
  }

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::optional<uint64_t> result() {
    uint64_t value = pop();
    return ok_ ? std::optional(value) : std::nullopt;
  }

 private:
  static constexpr size_t kDepth = 32;

  void push(std::optional<uint64_t> value) {
    if (!value || depth_ == kDepth) {
      ok_ = false;
      return;
    }
    values_[depth_++] = *value;
  }

  uint64_t pop() {
    if (depth_ == 0) {
      ok_ = false;
      return 0;
    }
    return values_[--depth_];
  }

  void pick(uint64_t index) {
    push(index < depth_ ? std::optional(values_[depth_ - 1 - index]) : std::nullopt);
  }

  bool run_constant(const FrameOperation& operation) {
    uint8_t atom = operation.atom;
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
      push(atom - DW_OP_lit0);
      return true;
    }
    // libdw sign-extends the constants.
    bool constant = (atom >= DW_OP_const1u && atom <= DW_OP_consts);
    if (constant) push(operation.number);
    return constant;
  }

  bool run_stack(const FrameOperation& operation) {
    switch (operation.atom) {
      case DW_OP_dup:
        pick(0);
        return true;
      case DW_OP_over:
        pick(1);
        return true;
      case DW_OP_pick:
        pick(operation.number);
        return true;
      case DW_OP_drop:
        (void)pop();
        return true;
      case DW_OP_swap: {
        uint64_t top = pop(), below = pop();
        push(top);
        push(below);
        return true;
      }
      case DW_OP_nop:
        return true;
      default:
        return false;
    }
  }

  bool run_unary(const FrameOperation& operation) {
    switch (operation.atom) {
      case DW_OP_neg:
        push(0 - pop());
        return true;
      case DW_OP_not:
        push(~pop());
        return true;
      case DW_OP_plus_uconst:
        push(pop() + operation.number);
        return true;
      case DW_OP_deref:
        push(frame_.stack.read(pop()));
        return true;
      case DW_OP_deref_size:
        push(frame_.stack.read(pop(), operation.number));
        return true;
      default:
        return false;
    }
  }

  // Comparisons are signed (DWARF 5, section 2.5.1.5).
  bool run_binary(const FrameOperation& operation) {
    uint8_t atom = operation.atom;
    bool arithmetic = atom == DW_OP_and || atom == DW_OP_minus || atom == DW_OP_mul ||
                      (atom >= DW_OP_or && atom <= DW_OP_plus) || (atom >= DW_OP_shl && atom <= DW_OP_xor);
    bool comparison = atom >= DW_OP_eq && atom <= DW_OP_ne;
    if (!arithmetic && !comparison) return false;
    uint64_t right = pop(), left = pop();
    push(arithmetic ? compute(atom, left, right)
                    : uint64_t{compare(atom, static_cast<int64_t>(left), static_cast<int64_t>(right))});
    return true;
  }

  static uint64_t compute(uint8_t atom, uint64_t left, uint64_t right) {
    constexpr uint64_t kBits = 64;
    switch (atom) {
      case DW_OP_and:
        return left & right;
      case DW_OP_minus:
        return left - right;
      case DW_OP_mul:
        return left * right;
      case DW_OP_or:
        return left | right;
      case DW_OP_plus:
        return left + right;
      case DW_OP_shl:
        return right < kBits ? left << right : 0;
      case DW_OP_shr:
        return right < kBits ? left >> right : 0;
      case DW_OP_shra:
        return static_cast<uint64_t>(static_cast<int64_t>(left) >> (right < kBits ? right : kBits - 1));
      default:
        return left ^ right;
    }
  }

  static bool compare(uint8_t atom, int64_t left, int64_t right) {
    switch (atom) {
      case DW_OP_eq:
        return left == right;
      case DW_OP_ge:
        return left >= right;
      case DW_OP_gt:
        return left > right;
      case DW_OP_le:
        return left <= right;
      case DW_OP_lt:
        return left < right;
      default:
        return left != right;
    }
  }

  bool run_frame(const FrameOperation& operation) {
    if (operation.atom == DW_OP_call_frame_cfa) {
      push(frame_.cfa);
      return true;
    }
    bool numbered = operation.atom >= DW_OP_breg0 && operation.atom <= DW_OP_breg31;
    if (!numbered && operation.atom != DW_OP_bregx) return false;
    uint64_t number = numbered ? operation.atom - DW_OP_breg0 : operation.number;
    push(frame_.registers.at(register_of_dwarf(number)));
    push(pop() + (numbered ? operation.number : operation.number2));
    return true;
  }

  const FrameView& frame_;
  std::array<uint64_t, kDepth> values_{};
  size_t depth_ = 0;
  bool ok_ = true;
};

}  // namespace

std::optional<uint64_t> evaluate(std::span<const FrameOperation> expression, const FrameView& frame) {
  StackMachine machine(frame);
  for (const FrameOperation& operation : expression) {
    machine.run(operation);
    if (!machine.ok()) return std::nullopt;
  }
  return machine.result();
}

}  // namespace hm::symbol
