// SPDX-License-Identifier: GPL-2.0-or-later
#include "slow_paths.h"

#include "host_code.h"

namespace hm::soft::vg {
namespace {

constexpr uint32_t kPathBytes = 19;
constexpr uint32_t kMaxPaths = kSlowPathRoom / kPathBytes;

uint8_t* g_block = nullptr;
uint32_t g_piece = 0;  // offset of its start in the block
SlowPath g_paths[kMaxPaths];
uint32_t g_path_count = 0;

}  // namespace

void begin_block(uint8_t* code) {
  g_block = code;
  g_piece = 0;
  g_path_count = 0;
}

void next_piece(uint32_t bytes) { g_piece += bytes; }

bool has_room_for_slow_path() { return g_path_count < kMaxPaths; }

void add_slow_path(const SlowPath& path) {
  g_paths[g_path_count] = path;
  g_paths[g_path_count].branch_end += g_piece;
  g_paths[g_path_count].resume += g_piece;
  ++g_path_count;
}

uint32_t append_slow_paths(uint8_t* piece, uint32_t length) {
  HostCode code(piece + length);
  uint32_t start = g_piece + length;
  for (uint32_t i = 0; i < g_path_count; ++i) {
    const SlowPath& path = g_paths[i];
    HostCode::write_displacement(g_block + path.branch_end, start + code.size() - path.branch_end);
    code.move32(Reg::kAx, path.value);
    code.call(path.thunk);
    code.jump_to(path.resume - start);
  }
  g_path_count = 0;
  return length + code.size();
}

}  // namespace hm::soft::vg
