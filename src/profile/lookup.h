// SPDX-License-Identifier: MIT
// Looks up rows of a profile in a resolver.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "symbol/code/disassembly.h"
#include "symbol/resolver.h"

namespace hm::profile {

// Returns the build ID by which a resolver finds the object.
[[nodiscard]] std::string build_id_to_look_up(const DsoRow& dso);

// Returns the mapped object; nullptr for "[unknown]".
[[nodiscard]] const symbol::Object* object_of(const Profile& profile, const symbol::Resolver& resolver,
                                              uint32_t dso);

// Returns "[server+0x1000]", the text for a function without a known name.
[[nodiscard]] std::string address_text(const Profile& profile, const FunctionRow& function);

// Returns the functions and lines at a location, innermost inlined function first; never empty.
[[nodiscard]] std::vector<symbol::Frame> frames_at(const Profile& profile, const symbol::Resolver& resolver,
                                                   uint32_t location);

// A function as the programmer wrote it, inlined at a location or with a symbol.
struct WrittenFunction {
  std::string name;
  std::string file;  // source file of its line at the location; empty if unknown
  bool inlined = false;
  size_t frames = 0;  // number of frames from the innermost one to that of the function, inclusive
  uint32_t line = 0;  // its line at the location; 0 if unknown
};
// Returns the written functions at a location, innermost first; never empty. The last one is the function
// with a symbol, named by its symbol.
// Functions of a library's headers, for example operator[] of a container, and those of C headers, which are
// mostly accessors, count as part of the function into which they are inlined. If all functions are of
// headers, the innermost one is listed nevertheless.
[[nodiscard]] std::vector<WrittenFunction> written_functions_at(const Profile& profile,
                                                                const symbol::Resolver& resolver,
                                                                uint32_t location);

// A function with a symbol by its source files.
struct FunctionFiles {
  std::string source;  // that of its code
  std::string unit;    // the one that was compiled, which includes `source` if that is a header
};
// Returns the files of the function that has the location.
[[nodiscard]] FunctionFiles files_of_function(const Profile& profile, const symbol::Resolver& resolver,
                                              uint32_t location);
// Returns, for functions of one name, the file that distinguishes each: its source, or its unit if units
// distinguish more of them. A file may be empty.
[[nodiscard]] std::vector<std::string> distinct_files(const std::vector<FunctionFiles>& functions);

// Returns the source line of the innermost frame at a location.
[[nodiscard]] symbol::SourceLine line_at(const Profile& profile, const symbol::Resolver& resolver,
                                         uint32_t location);

// Returns the source line in the outermost function, the one with a symbol, if other functions are inlined
// there.
[[nodiscard]] symbol::SourceLine outer_line_at(const Profile& profile, const symbol::Resolver& resolver,
                                               uint32_t location);

// Returns "        # 4010 <table+0x8>", as in objdump, for an instruction with a %rip-relative address of
// data; empty for other instructions.
[[nodiscard]] std::string data_remark(const symbol::Object& object, const symbol::Instruction& instruction);

// Adds a note to the profile about files that the resolver could not search for so far, once.
void take_problems(const symbol::Resolver& resolver, Profile& profile);

}  // namespace hm::profile
