// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine_link.h"

#include "pmu/soft/ring/session_layout.h"

namespace hm::soft::vg {
namespace {

constexpr SizeT kMaxPath = 4096;
constexpr HChar kVariable[] = "VALGRIND_LIB=";

const HChar* g_link = nullptr;
HChar g_session_folder[kMaxPath];
HChar g_engine_folder[kMaxPath];

void remove_from_client_environment() {
  HChar** kept = VG_(client_envp);
  for (HChar** each = kept; *each != nullptr; ++each) {
    if (VG_(strncmp)(*each, kVariable, sizeof(kVariable) - 1) != 0) *kept++ = *each;
  }
  *kept = nullptr;
}

}  // namespace

void take_session_from_environment() {
  const HChar* name = VG_(libdir) == nullptr ? nullptr : VG_(strrchr)(VG_(libdir), '/');
  if (name == nullptr || VG_(strcmp)(name + 1, kEngineLinkName) != 0) return;
  auto folder_bytes = static_cast<SizeT>(name - VG_(libdir));
  SSizeT length = VG_(readlink)(VG_(libdir), g_engine_folder, kMaxPath - 1);
  if (length <= 0 || folder_bytes >= kMaxPath) return;
  VG_(memcpy)(g_session_folder, VG_(libdir), folder_bytes);
  g_link = VG_(libdir);
  VG_(libdir) = g_engine_folder;
  remove_from_client_environment();
}

const HChar* begin_passing_on_session() {
  if (g_link == nullptr) return nullptr;
  VG_(libdir) = g_link;
  return g_session_folder;
}

}  // namespace hm::soft::vg
