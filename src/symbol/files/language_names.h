// SPDX-License-Identifier: MIT
// Symbol names of languages whose mangling has a short rule. Swift's names need a whole compiler's demangler,
// so they stay as in the file; Zig's are already readable.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hm::symbol {

// Returns the function as its programmer writes it; nullopt if the name is not of one of these languages:
//   D        "_D4main7computeFiZi"            main.compute     https://dlang.org/spec/abi.html, "Name
//   Mangling" OCaml    "camlStdlib__List__map_487"      Stdlib.List.map  asmcomp/compilenv.ml in OCaml's
//   sources Haskell  "base_GHCziBase_zdwmap_info"     GHC.Base.$wmap   "The Z-encoding", GHC's compiler
//   commentary Nim 2    "total__main_u12"                main.total
// Types of parameters, packages of Haskell, and stamps of compilers are left out.
[[nodiscard]] std::optional<std::string> language_name(std::string_view symbol);

// Removes what link-time optimisation appends to static functions that it makes visible to other units:
// ".llvm.123", ".lto_priv.0", ".__uniq.123". Keeps suffixes of parts and clones of functions.
[[nodiscard]] std::string without_lto_suffixes(std::string_view symbol);

}  // namespace hm::symbol
