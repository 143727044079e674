// SPDX-License-Identifier: GPL-2.0-or-later
// How the session's folder comes to this engine, and from it to the programs that the client executes.
//
// Whoever knows the folder may write to the session, so the folder is not on the command line, which all
// users can read. Valgrind's core passes one path on by the environment, which only the process's own user
// can read: VALGRIND_LIB, where the core finds its files. The launcher sets it to a link in the session's
// folder (kEngineLinkName).
#pragma once

#include "valgrind_api.h"

namespace hm::soft::vg {

// Before the client runs: it does not see the link. Programs that it executes get the link from the core.
void take_session_from_environment();

// After that: the session's folder; null if the launcher did not start this process.
const HChar* session_folder();

}  // namespace hm::soft::vg
