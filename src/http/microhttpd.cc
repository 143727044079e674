// SPDX-License-Identifier: MIT
#include "http/microhttpd.h"

#include <dlfcn.h>

#include "base/loaded_library.h"

namespace hm::http {
namespace {

const Microhttpd* load_microhttpd() {
  static Microhttpd loaded;
  void* library = ::dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  bool has_all =
      find_function(library, "MHD_start_daemon", loaded.start_daemon) &&
      find_function(library, "MHD_stop_daemon", loaded.stop_daemon) &&
      find_function(library, "MHD_get_daemon_info", loaded.get_daemon_info) &&
      find_function(library, "MHD_get_timeout", loaded.get_timeout) &&
      find_function(library, "MHD_run", loaded.run) &&
      find_function(library, "MHD_add_connection", loaded.add_connection) &&
      find_function(library, "MHD_suspend_connection", loaded.suspend_connection) &&
      find_function(library, "MHD_resume_connection", loaded.resume_connection) &&
      find_function(library, "MHD_get_connection_info", loaded.get_connection_info) &&
      find_function(library, "MHD_get_connection_values_n", loaded.get_connection_values_n) &&
      find_function(library, "MHD_create_response_from_callback", loaded.create_response_from_callback) &&
      find_function(library, "MHD_add_response_header", loaded.add_response_header) &&
      find_function(library, "MHD_queue_response", loaded.queue_response) &&
      find_function(library, "MHD_destroy_response", loaded.destroy_response);
  return has_all ? &loaded : nullptr;
}

}  // namespace

const Microhttpd* microhttpd() {
  static const Microhttpd* library = load_microhttpd();
  return library;
}

}  // namespace hm::http
