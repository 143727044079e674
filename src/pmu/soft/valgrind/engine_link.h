// SPDX-License-Identifier: GPL-2.0-or-later
// How this engine gets the session's folder, and passes it on to programs that the client executes.
//
// Every process that knows the folder may write to the session, so the folder is not on the command line,
// which all users can read. Valgrind's core passes one path on in the environment, which only the process's
// own user can read: VALGRIND_LIB, the folder of the core's files. The launcher sets it to a link in the
// session's folder (kEngineLinkName).
#pragma once

#include "valgrind_api.h"

namespace hm::soft::vg {

// Called before the client runs, which does not see the link. The core passes the link to programs that it
// executes.
void take_session_from_environment();

// The session's folder, after that call; null if the launcher did not start this process.
const HChar* session_folder();

}  // namespace hm::soft::vg
