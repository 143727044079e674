// SPDX-License-Identifier: MIT
// Matches symbols with function names as the user writes them. Freestanding.
#pragma once

namespace hm::soft {

// `wanted` is the symbol itself ("main", "_ZN3Foo3barEi"), or a C++ function without its arguments ("bar",
// "Foo::bar"). The latter matches all its overloads, with any template arguments. Compiler-made variants of a
// function match ("bar.constprop.0"); parts split off from it do not ("bar.cold", "bar.part.0"). Mangled
// names: the Itanium C++ ABI, section 5.1.
bool names_function(const char* symbol, const char* wanted);

}  // namespace hm::soft
