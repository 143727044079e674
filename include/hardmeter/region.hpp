// SPDX-License-Identifier: MIT
// libhardmeter for C++: a region ends where its scope does.
#ifndef HARDMETER_REGION_HPP
#define HARDMETER_REGION_HPP

#include <hardmeter/hardmeter.h>

namespace hardmeter {

//     { hardmeter::Region region{"load"}; load(); }
//
// Where it cannot be started the program goes on unmeasured: ok() and hardmeter_error() tell.
class [[nodiscard]] Region {
 public:
  explicit Region(const char* resource_name) noexcept : ok_(hardmeter_start(resource_name) == 0) {}
  ~Region() {
    if (ok_) (void)hardmeter_stop();
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  bool ok() const noexcept { return ok_; }

 private:
  bool ok_;
};

}  // namespace hardmeter

#endif
