// SPDX-License-Identifier: MIT
// What the objects of a recording say of places in them: names, lines, code, types. Whoever shows a recording
// is given a resolver; that of this machine's files is symbol/file_resolver.h. All of it may be asked by
// several threads at once, and an answer does not depend on what was asked before.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "symbol/code/waiting.h"
#include "symbol/files/frame.h"
#include "symbol/files/names.h"
#include "symbol/types/type_layout.h"
#include "symbol/unwind/frame_rule.h"

namespace hm::symbol {

// The type of a global or static variable.
struct VariableType {
  uint64_t start = 0;          // of the variable: address in the object
  uint64_t element_bytes = 0;  // of what the variable, if an array, has many of; 0: not known
  bool is_raw = false;         // the type says nothing of what lies in its memory: bytes, void
  // Of an element; the same description has the same pointer each time.
  std::shared_ptr<const TypeLayout> element{};
};

// A part of a type that an instruction accesses, or that lies at a place.
struct DescribedField {
  TypeField field{};
  std::shared_ptr<const TypeLayout> element{};  // that it is a part of; as in VariableType
  std::string variable{};  // the local variable that it lies in; empty: only the type is known
};

// A mapped object. An `offset` is that of a recording (symbol/files/dso.h), an `address` one in the object.
class Object {
 public:
  virtual ~Object() = default;

  // Why nothing is known of it.
  [[nodiscard]] virtual std::optional<Error> problem() const = 0;
  // nullopt where nothing of it is loaded there.
  [[nodiscard]] virtual std::optional<uint64_t> address_of(uint64_t offset) const = 0;

  [[nodiscard]] virtual Function function_at(uint64_t offset) const = 0;
  // Innermost first, never empty; without debug information one frame with the function's name.
  [[nodiscard]] virtual std::vector<Frame> frames_at(uint64_t offset) const = 0;
  // Of the innermost frame.
  [[nodiscard]] virtual SourceLine line_at(uint64_t address) const = 0;
  // Calls `visit` with the name of each function, demangled: those with a symbol, and those that the debug
  // information says are inlined; some of them several times.
  virtual void visit_functions(const std::function<void(const std::string&)>& visit) const = 0;
  // Of the symbol that covers the address, demangled; empty where none does.
  [[nodiscard]] virtual std::string symbol_at(uint64_t address) const = 0;

  // Where a program has its image (symbol/files/elf_module.h).
  [[nodiscard]] virtual std::optional<uint64_t> load_bias(uint64_t start, uint64_t file_offset,
                                                          bool executable) const = 0;
  [[nodiscard]] virtual bool loads(uint64_t address) const = 0;
  [[nodiscard]] virtual std::optional<uint64_t> offset_of(uint64_t address) const = 0;

  // What a just-in-time compiler loaded, if some of it took the place of other code or moved; empty for all
  // other objects. The addresses in its object are those in the process, but for code that was replaced.
  [[nodiscard]] virtual CodeLoads code_loads() const = 0;

  // The instructions' bytes, as long as the resolver; fewer where the file ends.
  [[nodiscard]] virtual Result<Bytes> code(uint64_t address, uint64_t size) const = 0;
  // By which ways control arrives there.
  [[nodiscard]] virtual Place place_at(uint64_t address) const = 0;
  // nullptr where nothing is said of the address; otherwise as long as the resolver.
  [[nodiscard]] virtual const FrameRule* frame_rule(uint64_t address) const = 0;

  // nullopt where nothing is loaded there.
  [[nodiscard]] virtual std::optional<DataObject> data_at(uint64_t address) const = 0;
  // Of the variable that holds the address; nullopt where no described one does.
  [[nodiscard]] virtual std::optional<VariableType> variable_type(uint64_t address) const = 0;
  // Of that variable, at so many bytes from its start.
  [[nodiscard]] virtual std::optional<TypeField> variable_field(uint64_t address, int64_t offset) const = 0;
  // What the instruction at `address` accesses; `on_stack`: if that lies on a stack.
  [[nodiscard]] virtual std::optional<DescribedField> accessed_field(uint64_t address,
                                                                     bool on_stack) const = 0;
  // What lies so many bytes above the stack pointer while the instruction runs.
  [[nodiscard]] virtual std::optional<DescribedField> frame_field(uint64_t address,
                                                                  int64_t above_stack_pointer) const = 0;
};

class Resolver {
 public:
  virtual ~Resolver() = default;

  // What a recording calls so; `build_id` in hex, empty where it is not known, or kNotHere. Valid as long as
  // the resolver.
  [[nodiscard]] virtual const Object& object(const std::string& path, const std::string& build_id) const = 0;
  // A line of source text; nullopt where it is not there.
  [[nodiscard]] virtual std::optional<std::string> source_text(const std::string& file,
                                                               uint32_t line) const = 0;
  // What could not be looked for so far, a sentence each.
  [[nodiscard]] virtual std::vector<std::string> problems() const = 0;
};

}  // namespace hm::symbol
