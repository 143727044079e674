// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine_link.h"

#include "pmu/soft/ring/session_layout.h"

namespace hm::soft::vg {
namespace {

constexpr SizeT kMaxPath = 4096;
constexpr HChar kVariable[] = "VALGRIND_LIB=";

constexpr HChar kPreload[] = "LD_PRELOAD=";

HChar g_session_folder[kMaxPath];
HChar g_engine_folder[kMaxPath];
HChar g_variable[sizeof(kVariable) + kMaxPath];
HChar g_preload[sizeof(kPreload) + 3 * kMaxPath];

bool begins_with(const HChar* text, const HChar* start) {
  return VG_(strncmp)(text, start, VG_(strlen)(start)) == 0;
}

// The dynamic linker ends a name at a blank or a colon, and expands dollar signs (ld.so(8)).
bool can_be_preloaded(const HChar* folder) {
  for (const HChar* c = folder; *c != '\0'; ++c) {
    if (*c == ' ' || *c == ':' || *c == '$') return false;
  }
  return true;
}

// The engine's folder, or the launcher's link to it next to the session's folder. The link's name is not
// secret.
const HChar* preloaded_folder() {
  static HChar link[kMaxPath + sizeof(kEngineLinkName) + 1];
  const HChar* inner = VG_(strrchr)(g_session_folder, '/');
  if (can_be_preloaded(g_engine_folder) || inner == nullptr) return g_engine_folder;
  VG_(memcpy)(link, g_session_folder, static_cast<SizeT>(inner - g_session_folder));
  VG_(sprintf)(link + (inner - g_session_folder), "/%s", kEngineLinkName);
  return link;
}

// If the client's environment contains the link, replaces it by the link's target. Changes only pointers,
// because the core finds the auxiliary vector after the environment.
void replace_in_client_environment(const HChar* link) {
  for (HChar** each = VG_(client_envp); *each != nullptr; ++each) {
    if (begins_with(*each, kVariable)) {
      VG_(sprintf)(g_variable, "%s%s", kVariable, g_engine_folder);
      *each = g_variable;
    }
    const HChar* preloaded = *each + sizeof(kPreload) - 1;
    bool names_link = begins_with(*each, kPreload) && begins_with(preloaded, link);
    if (!names_link) continue;
    const HChar* rest = preloaded + VG_(strlen)(link);
    if (VG_(strlen)(rest) >= 2 * kMaxPath) continue;
    VG_(sprintf)(g_preload, "%s%s%s", kPreload, preloaded_folder(), rest);
    *each = g_preload;
  }
}

}  // namespace

void take_session_from_environment() {
  const HChar* link = VG_(libdir);
  const HChar* name = link == nullptr ? nullptr : VG_(strrchr)(link, '/');
  if (name == nullptr || VG_(strcmp)(name + 1, kEngineLinkName) != 0) return;
  auto folder_bytes = static_cast<SizeT>(name - link);
  if (folder_bytes >= kMaxPath || VG_(readlink)(link, g_engine_folder, kMaxPath - 1) <= 0) return;
  VG_(memcpy)(g_session_folder, link, folder_bytes);
  replace_in_client_environment(link);
}

const HChar* session_folder() { return g_session_folder[0] == '\0' ? nullptr : g_session_folder; }

}  // namespace hm::soft::vg
