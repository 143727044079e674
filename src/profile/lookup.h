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

// Returns the mapped object; nullptr for "[unknown]".
[[nodiscard]] const symbol::Object* object_of(const Profile& profile, const symbol::Resolver& resolver,
                                              uint32_t dso);

// Returns "[server+0x1000]", the text for a function without a known name.
[[nodiscard]] std::string address_text(const Profile& profile, const FunctionRow& function);

// Returns the functions and lines at a location, innermost inlined function first; never empty.
[[nodiscard]] std::vector<symbol::Frame> frames_at(const Profile& profile, const symbol::Resolver& resolver,
                                                   uint32_t location);

// Returns the innermost function that is inlined at a location. The name is empty if none is, or if it is
// unknown; then the frames are all at the location.
// Functions of a library's headers, for example operator[] of a container, and those of C headers, which are
// mostly accessors, count as part of the function into which they are inlined, unless all are such functions.
struct InlinedFunction {
  std::string name;
  size_t frames = 0;  // from the innermost frame to that of the function, which is the last of them
};
[[nodiscard]] InlinedFunction inlined_function_at(const Profile& profile, const symbol::Resolver& resolver,
                                                  uint32_t location);

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
