// SPDX-License-Identifier: MIT
// libmicrohttpd, loaded when the first server starts: it is linked with GnuTLS and eight more libraries,
// which would make every command start 2 ms later.
#pragma once

#include <microhttpd.h>

namespace hm::http {

// The functions that are used, named as in microhttpd(3) without "MHD_".
struct Microhttpd {
  decltype(&::MHD_start_daemon) start_daemon;
  decltype(&::MHD_stop_daemon) stop_daemon;
  decltype(&::MHD_get_daemon_info) get_daemon_info;
  decltype(&::MHD_get_timeout) get_timeout;
  decltype(&::MHD_run) run;
  decltype(&::MHD_add_connection) add_connection;
  decltype(&::MHD_suspend_connection) suspend_connection;
  decltype(&::MHD_resume_connection) resume_connection;
  decltype(&::MHD_get_connection_info) get_connection_info;
  decltype(&::MHD_get_connection_values_n) get_connection_values_n;
  decltype(&::MHD_create_response_from_callback) create_response_from_callback;
  decltype(&::MHD_add_response_header) add_response_header;
  decltype(&::MHD_queue_response) queue_response;
  decltype(&::MHD_destroy_response) destroy_response;
};

// Returns null if the library is not installed.
[[nodiscard]] const Microhttpd* microhttpd();

}  // namespace hm::http
