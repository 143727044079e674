/* SPDX-License-Identifier: MIT
 * A program that uses libpqos and libhardmeter, whose names do not clash; also as C++ (both_headers.cc). */
#include <errno.h>
#include <hardmeter/llc.h> /* and what it includes: pqos.h itself lacks pid_t */
#include <pqos.h>

int main(void) {
  const struct pqos_cap* capabilities = NULL;
  const struct pqos_cpuinfo* processor = NULL;
  if (pqos_cap_get(&capabilities, &processor) == PQOS_RETVAL_OK) return 1; /* before pqos_init */
  return pqos_get_cmt_occupancy(1, -1) == -1 && errno == ENOENT ? 0 : 1;
}
