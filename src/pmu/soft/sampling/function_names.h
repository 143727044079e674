// SPDX-License-Identifier: MIT
// Matches symbols with functions' names as a user writes them. Freestanding.
#pragma once

namespace hm::soft {

// `wanted` is the symbol itself ("main", "_ZN3Foo3barEi"), or a C++ function without its arguments ("bar",
// "Foo::bar"), which stands for all its overloads; templates' arguments are no part of it. What the compiler
// has made of a function for some of its callers counts too ("bar.constprop.0"), pieces that it has cut off
// do not ("bar.cold", "bar.part.0"). Mangled names: the Itanium C++ ABI, section 5.1.
bool names_function(const char* symbol, const char* wanted);

}  // namespace hm::soft
