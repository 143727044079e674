// SPDX-License-Identifier: MIT
#pragma once

namespace hm::measure {

// Sets the environment variables by which runtimes name the code that they compile (/tmp/perf-PID.map), for
// programs that this process starts: of Node.js, the JVM, Python from 3.12 on, .NET and Erlang. What the user
// has set there stays, in front.
void ask_for_jit_names();

}  // namespace hm::measure
