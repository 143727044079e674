// SPDX-License-Identifier: GPL-2.0-or-later
// Passes the session's folder to this engine, and from it to programs that the client executes.
//
// Every process that has the folder's path may write to the session. The path is therefore not on the command
// line, which all users can read. Valgrind's core passes one path on through the environment, which only the
// process's own user can read: VALGRIND_LIB, the folder of the core's files. The launcher sets it to a link
// in the session's folder (kEngineLinkName).
#pragma once

#include "valgrind_api.h"

namespace hm::soft::vg {

// To be called before the client runs, and hides the link from the client. Programs that the client executes
// get the link from the core.
void take_session_from_environment();

// Returns the session's folder, or null if the launcher did not start this process. Valid after
// take_session_from_environment().
const HChar* session_folder();

}  // namespace hm::soft::vg
