// SPDX-License-Identifier: MIT
// Symbol names of languages whose mangling has a short rule. Swift's names need a whole compiler's demangler,
// so they stay as in the file; Zig's are already readable.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hm::symbol {

// Returns the function as its programmer writes it, without types of parameters, packages of Haskell, and
// stamps of compilers; nullopt if the name is not of one of these languages.
// D: main.compute for "_D4main7computeFiZi" (https://dlang.org/spec/abi.html, "Name Mangling").
// OCaml: Stdlib.List.map for "camlStdlib__List__map_487" (asmcomp/compilenv.ml in OCaml's sources).
// Haskell: GHC.Base.$wmap for "base_GHCziBase_zdwmap_info" ("The Z-encoding", GHC's compiler commentary).
// Nim 2: main.total for "total__main_u12", unless the number may be the width of an integer.
[[nodiscard]] std::optional<std::string> language_name(std::string_view symbol);

// Returns main.total for Nim 1's "total__main_12", and for all names of Nim 2; nullopt for other names. Only
// for symbols of Nim programs: names of C and Ada may have these forms.
[[nodiscard]] std::optional<std::string> nim_program_name(std::string_view symbol);

// Removes what link-time optimisation appends to static functions that it makes visible to other units:
// ".llvm.123", ".lto_priv.0", ".__uniq.123". Keeps suffixes of parts and clones of functions.
[[nodiscard]] std::string without_lto_suffixes(std::string_view symbol);

}  // namespace hm::symbol
