// SPDX-License-Identifier: MIT
// The input is a resource file's text; the parsed values satisfy the documented bounds.
#include "capi/resource_file.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  std::string_view text = fuzz::text(data, size);
  Result<capi::Resource> resource = capi::find_resource(text, "load", "file");
  if (!resource) {
    fuzz::require(!resource.error().message.empty());
    return 0;
  }
  fuzz::require(resource->user || resource->kernel);
  fuzz::require(!resource->dump_file.empty() && !resource->event.name.empty());
  fuzz::require(resource->count > 0 && resource->interval > 0);
  fuzz::require(!capi::expand_dump_file(resource->dump_file, 0, 1).empty() ||
                resource->dump_file.find('%') == 0);
  return 0;
}
