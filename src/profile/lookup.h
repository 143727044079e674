// SPDX-License-Identifier: MIT
// What a resolver says of rows of a profile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "symbol/code/disassembly.h"
#include "symbol/resolver.h"

namespace hm::profile {

// The mapped object; nullptr for "[unknown]".
[[nodiscard]] const symbol::Object* object_of(const Profile& profile, const symbol::Resolver& resolver,
                                              uint32_t dso);

// "[server+0x1000]": what stands for a function's name where that is not to be told.
[[nodiscard]] std::string address_text(const Profile& profile, const FunctionRow& function);

// Functions and lines at a location, innermost first, never empty.
[[nodiscard]] std::vector<symbol::Frame> frames_at(const Profile& profile, const symbol::Resolver& resolver,
                                                   uint32_t location);

// The source line of the innermost frame at a location.
[[nodiscard]] symbol::SourceLine line_at(const Profile& profile, const symbol::Resolver& resolver,
                                         uint32_t location);

// Likewise of the function with a symbol, where others may be inlined.
[[nodiscard]] symbol::SourceLine outer_line_at(const Profile& profile, const symbol::Resolver& resolver,
                                               uint32_t location);

// "        # 4010 <table+0x8>", as objdump has it, for data that an instruction of the object names relative
// to itself; empty for others.
[[nodiscard]] std::string data_remark(const symbol::Object& object, const symbol::Instruction& instruction);

// Adds to the profile's notes what the resolver could not look for so far, once.
void take_problems(const symbol::Resolver& resolver, Profile& profile);

}  // namespace hm::profile
