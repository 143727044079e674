// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine_link.h"

#include "pmu/soft/ring/session_layout.h"

namespace hm::soft::vg {
namespace {

constexpr SizeT kMaxPath = 4096;
constexpr HChar kVariable[] = "VALGRIND_LIB=";

const HChar* g_link = nullptr;
HChar g_session_folder[kMaxPath];
HChar g_engine_variable[sizeof(kVariable) - 1 +
                        kMaxPath];  // "VALGRIND_LIB=...", with the folder behind the link

// The environment keeps its length: the core finds the auxiliary vector behind it.
void replace_in_client_environment() {
  for (HChar** each = VG_(client_envp); *each != nullptr; ++each) {
    if (VG_(strncmp)(*each, kVariable, sizeof(kVariable) - 1) == 0) *each = g_engine_variable;
  }
}

}  // namespace

void take_session_from_environment() {
  const HChar* name = VG_(libdir) == nullptr ? nullptr : VG_(strrchr)(VG_(libdir), '/');
  if (name == nullptr || VG_(strcmp)(name + 1, kEngineLinkName) != 0) return;
  auto folder_bytes = static_cast<SizeT>(name - VG_(libdir));
  HChar* engine_folder = g_engine_variable + sizeof(kVariable) - 1;
  SSizeT length = VG_(readlink)(VG_(libdir), engine_folder, kMaxPath - 1);
  if (length <= 0 || folder_bytes >= kMaxPath) return;
  VG_(memcpy)(g_session_folder, VG_(libdir), folder_bytes);
  g_link = VG_(libdir);
  VG_(memcpy)(g_engine_variable, kVariable, sizeof(kVariable) - 1);
  VG_(libdir) = engine_folder;
  replace_in_client_environment();
}

const HChar* session_folder() { return g_link == nullptr ? nullptr : g_session_folder; }

void pass_session_on() {
  if (g_link != nullptr) VG_(libdir) = g_link;
}

}  // namespace hm::soft::vg
