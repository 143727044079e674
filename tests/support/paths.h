// SPDX-License-Identifier: MIT
// Where tests find the sources and what was built. Each is a folder without a slash at its end, or a file.
#pragma once

namespace hm::test_paths {

extern const char* const kSource;     // the project
extern const char* const kHardmeter;  // the program
extern const char* const kPrograms;   // of tests/programs, whose answers are known
extern const char* const kExamples;   // of examples/
extern const char* const kSubjects;   // of src/symbol/testdata
extern const char* const kAddr2line;  // binutils'
extern const char* const kObjcopy;    // likewise

}  // namespace hm::test_paths
