// SPDX-License-Identifier: MIT
#pragma once

namespace hm::measure {

// Sets the environment variables that make language runtimes write the names of compiled code
// (/tmp/perf-PID.map). Affects programs started by this process. Supports Node.js, the JVM, Python from 3.12
// on, .NET and Erlang. Keeps the user's values in these variables, in front.
void request_jit_names();

}  // namespace hm::measure
