// SPDX-License-Identifier: MIT
// Paths of the sources and of the build for tests. Each is a folder without a trailing slash, or a file.
#pragma once

namespace hm::test_paths {

extern const char* const kSource;     // the project
extern const char* const kHardmeter;  // the program
extern const char* const kPrograms;   // of tests/programs, which have known counts
extern const char* const kExamples;   // of examples/
extern const char* const kSubjects;   // of src/symbol/testdata
extern const char* const kAddr2line;  // binutils'
extern const char* const kObjcopy;    // binutils'

}  // namespace hm::test_paths
