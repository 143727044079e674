// SPDX-License-Identifier: MIT
#include "block_start.h"

#include <cstring>

namespace hm::direct_test {
namespace {

// Below this address nothing is mapped under any engine, for any remainder of an address.
constexpr uint64_t kNowhere = 0xee000000;
constexpr uint64_t kAlways = 0x202;  // the reserved flag, and interrupts

uint64_t next(uint64_t& random) {
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  return random;
}

// Returns a generator whose first numbers do not resemble those of the next seed.
uint64_t random_of(uint64_t seed) {
  uint64_t random = seed * 2 + 1;
  for (unsigned i = 0; i < 8; ++i) next(random);
  return random;
}

// Returns an address in the arena, a small number, or a random value.
uint64_t make_register(uint64_t& random) {
  uint64_t value = next(random);
  switch (value >> 60) {
    case 0:
    case 1:
      return value << 32 | kNowhere;
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
      return value & 31;
    case 7:
      return -(value & 31);
    default:
      return kArena + kArenaBytes / 4 + (value & (kArenaBytes / 2 - 1));
  }
}

void make_vectors(uint64_t& random, State& state) {
  for (auto& vector : state.vectors) {
    bool small = next(random) % 2 == 0;
    for (unsigned i = 0; i < sizeof(vector); i += 4) {
      uint32_t element = static_cast<uint32_t>(next(random));
      if (small) element &= 0x800000ff;
      std::memcpy(vector + i, &element, sizeof(element));
    }
  }
  for (uint64_t& mask : state.masks) mask = next(random);
}

// Makes the image for fxrstor: usual control words, or unmasked exceptions; eight values, no exception
// pending.
void make_x87(uint64_t& random, State& state) {
  constexpr uint16_t kControl = 0x37f;
  constexpr uint32_t kMxcsr = 0x1f80;
  uint64_t unmasked = next(random);
  bool usual = unmasked >> 61 != 0;
  auto control = static_cast<uint16_t>(usual ? kControl : kControl & ~(unmasked & 0x3f));
  auto mxcsr = static_cast<uint32_t>(usual ? kMxcsr : kMxcsr & ~(unmasked >> 6 & 0x1f80));
  std::memset(state.x87, 0, sizeof(state.x87));
  std::memcpy(state.x87, &control, sizeof(control));
  state.x87[4] = static_cast<uint8_t>(next(random));
  std::memcpy(state.x87 + 24, &mxcsr, sizeof(mxcsr));
  for (unsigned i = 0; i < 8; ++i) {
    uint64_t fraction = next(random) | uint64_t{1} << 63;
    auto exponent = static_cast<uint16_t>(0x3ff0 + (next(random) & 0x801f));
    std::memcpy(state.x87 + 32 + 16 * i, &fraction, sizeof(fraction));
    std::memcpy(state.x87 + 40 + 16 * i, &exponent, sizeof(exponent));
  }
}

void fill(uint64_t& random, uint64_t start, uint64_t bytes) {
  auto* words = reinterpret_cast<uint64_t*>(start);
  for (uint64_t i = 0; i < bytes / 8; ++i) words[i] = next(random);
}

}  // namespace

State start_state(uint64_t seed) {
  uint64_t random = random_of(seed);
  State state{};
  for (uint64_t& each : state.registers) each = make_register(random);
  make_vectors(random, state);
  make_x87(random, state);
  state.registers[kStackPointerOfState] = kArena + kArenaBytes / 2 + 8 * (next(random) & 7);
  return state;
}

void make_memory(uint64_t seed, const State& state) {
  constexpr uint64_t kDirectionFlag = 0x400;
  uint64_t random = random_of(~seed);
  fill(random, kArena, kArenaBytes);
  fill(random, kFarArena, kFarArenaBytes);
  auto* stack = reinterpret_cast<uint64_t*>(state.registers[kStackPointerOfState]);
  stack[0] = (next(random) & kStatusFlagsOfState) | kAlways;
  stack[1] = (next(random) & (kStatusFlagsOfState | kDirectionFlag)) | kAlways;
}

}  // namespace hm::direct_test
