// SPDX-License-Identifier: MIT
// Looks up names, lines, code and types in the objects of a recording. Code that displays a recording gets a
// resolver; symbol/file_resolver.h implements it for this machine's files. All functions are thread-safe, and
// results do not depend on earlier calls.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/process_files.h"
#include "base/result.h"
#include "symbol/code/waiting.h"
#include "symbol/files/file_archive.h"
#include "symbol/files/frame.h"
#include "symbol/files/machine.h"
#include "symbol/files/names.h"
#include "symbol/source_files.h"
#include "symbol/types/type_layout.h"
#include "symbol/unwind/frame_rule.h"

namespace hm::symbol {

// The type of a global or static variable.
struct VariableType {
  uint64_t start = 0;          // address of the variable in the object
  uint64_t element_bytes = 0;  // size of an array element, or of the variable if it is no array; 0: unknown
  bool is_raw = false;         // the type does not describe the contents of its memory: bytes, void
  // Layout of an element; all lookups of one type description return the same pointer.
  std::shared_ptr<const TypeLayout> element{};
};

// A part of a type that an instruction accesses, or that is stored at a location.
struct DescribedField {
  TypeField field{};
  std::shared_ptr<const TypeLayout> element{};  // the type that contains the field; as in VariableType
  std::string variable{};  // the local variable that contains it; empty: only the type is known
};

// A mapped object. An `offset` is a recording's (symbol/files/dso.h), an `address` is in the object.
class Object {
 public:
  virtual ~Object() = default;

  // Calls `visit` with the contents of each file that was read for the object.
  virtual void visit_files(const std::function<void(const VisitedFile&)>& visit) const = 0;

  // Returns the reason if nothing is known about the object.
  [[nodiscard]] virtual std::optional<Error> problem() const = 0;
  // Returns when the file at the recorded path was last changed, in seconds since 1970; nullopt if it is not
  // there, or is no ELF file of this process's root.
  [[nodiscard]] virtual std::optional<int64_t> modified_s() const = 0;
  // Returns nullopt if nothing is loaded at the offset.
  [[nodiscard]] virtual std::optional<uint64_t> address_of(uint64_t offset) const = 0;

  [[nodiscard]] virtual Function function_at(uint64_t offset) const = 0;
  // Innermost frame first, never empty; without debug information, one frame with the function's name.
  [[nodiscard]] virtual std::vector<Frame> frames_at(uint64_t offset) const = 0;
  // Returns the line of the innermost frame.
  [[nodiscard]] virtual SourceLine line_at(uint64_t address) const = 0;
  // Returns the source file that was compiled to the function at an address: distinguishes functions of one
  // name that are in the same header. Empty if unknown.
  [[nodiscard]] virtual std::string unit_file(uint64_t function_address) const = 0;
  // Returns the name of a generic Rust function with the type arguments in its debug information,
  // "shop::walk<u64>", if the object has several instances with one name. Empty for other functions.
  [[nodiscard]] virtual std::string instance_name(uint64_t function_address) const = 0;
  // Calls `visit` with the demangled name of each function with a symbol, and of each function that was
  // inlined according to the debug information. May visit a name several times.
  virtual void visit_functions(const std::function<void(const std::string&)>& visit) const = 0;
  // Returns the demangled name of the symbol that covers the address; empty if there is none.
  [[nodiscard]] virtual std::string symbol_at(uint64_t address) const = 0;

  // The position of the image in a process (symbol/files/elf_module.h).
  [[nodiscard]] virtual std::optional<uint64_t> load_bias(uint64_t start, uint64_t file_offset,
                                                          bool executable) const = 0;
  [[nodiscard]] virtual bool loads(uint64_t address) const = 0;
  [[nodiscard]] virtual std::optional<uint64_t> offset_of(uint64_t address) const = 0;

  // Returns the loads of a just-in-time compiler if code was moved or replaced; empty for all other objects.
  // Addresses in its object are those in the process, except for replaced code.
  [[nodiscard]] virtual CodeLoads code_loads() const = 0;

  // Returns the bytes of the code, valid for the lifetime of the resolver; fewer if the file ends before.
  [[nodiscard]] virtual Result<Bytes> code(uint64_t address, uint64_t size) const = 0;
  // Returns what the code at the address is for; valid if code() returns it.
  [[nodiscard]] virtual CodeKind code_kind(uint64_t address) const = 0;
  // Returns the ways by which control can reach the address.
  [[nodiscard]] virtual Predecessors predecessors_at(uint64_t address) const = 0;
  // Returns nullptr if there is no rule for the address; otherwise a pointer valid for the lifetime of the
  // resolver.
  [[nodiscard]] virtual const FrameRule* frame_rule(uint64_t address) const = 0;

  // Returns nullopt if nothing is loaded at the address.
  [[nodiscard]] virtual std::optional<DataObject> data_at(uint64_t address) const = 0;
  // Returns the type of the variable that contains the address; nullopt if none is described.
  [[nodiscard]] virtual std::optional<VariableType> variable_type(uint64_t address) const = 0;
  // Returns the field at `offset` bytes from the start of that variable.
  [[nodiscard]] virtual std::optional<TypeField> variable_field(uint64_t address, int64_t offset) const = 0;
  // Returns the field that the instruction at `address` accesses; `on_stack` is true if the data is on a
  // stack.
  [[nodiscard]] virtual std::optional<DescribedField> accessed_field(uint64_t address,
                                                                     bool on_stack) const = 0;
  // Returns the field at `above_stack_pointer` bytes above the stack pointer while the instruction runs.
  [[nodiscard]] virtual std::optional<DescribedField> frame_field(uint64_t address,
                                                                  int64_t above_stack_pointer) const = 0;
};

// Identifies an object of a recording.
struct RecordedObject {
  std::string path;
  std::string build_id;  // hex; empty if unknown, or kNotHere
  // If a running process maps the file, and the file is not at `path` in this process's root. Files of two
  // containers may have the same path.
  ProcessMapping process{};
};

class Resolver {
 public:
  virtual ~Resolver() = default;

  // Returns the object. Valid for the lifetime of the resolver.
  [[nodiscard]] virtual const Object& object(const RecordedObject& object) const = 0;
  [[nodiscard]] const Object& object(const std::string& path, const std::string& build_id) const {
    return object({path, build_id});
  }
  // Returns the file of this machine for a source file in debug information; nullopt if there is none.
  // `build_id` is that of the object with the debug information, empty if unknown.
  [[nodiscard]] virtual std::optional<SourceFile> source_file(const std::string& file,
                                                              const std::string& build_id) const = 0;
  // Returns a line of such a file; nullopt if it is not available.
  [[nodiscard]] virtual std::optional<std::string> source_text(const std::string& file, uint32_t line,
                                                               const std::string& build_id) const = 0;
  // Makes the files of an archived recording known (symbol/files/file_archive.h). Call it before the first
  // look-up in that recording.
  virtual void add_archive(Bytes block) const = 0;
  // Returns files that could not be searched for so far, one sentence each.
  [[nodiscard]] virtual std::vector<std::string> problems() const = 0;
};

}  // namespace hm::symbol
