// SPDX-License-Identifier: MIT
#include "pmu/rdt/pqos_checks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <strings.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "base/text_file.h"
#include "base/unique_fd.h"
#include "pmu/rdt/pqos_cpuid.h"

namespace hm::rdt {
namespace {

// Sources: Intel's manual, volume 2, CPUID: leaf 7 EBX[12], and leaf 15 with subleaf 1 for the L3 cache. AMD
// uses the same numbers (architecture manual, volume 3, appendix E).
constexpr uint32_t kPqosFeaturesLeaf = 7, kPqosMonitoringLeaf = 15;
constexpr uint32_t kPqosMonitoring = 1U << 12, kPqosL3 = 1U << 1, kPqosOccupancy = 1U << 0;
constexpr uint32_t kPqosHypervisor = 1U << 31;                                        // leaf 1 ECX
constexpr uint32_t kAmdLongModeLeaf = 0x80000008, kAmdBandwidthAllocation = 1U << 6;  // EBX

constexpr off_t kPqrAssociation = 0xC8F;  // IA32_PQR_ASSOC: id of a logical CPU's memory accesses

std::string pqos_vendor_name() {
  PqosCpuid answer = pqos_cpuid(0, 0);
  std::string name(12, ' ');
  std::memcpy(name.data(), &answer.ebx, 4);
  std::memcpy(name.data() + 4, &answer.edx, 4);
  std::memcpy(name.data() + 8, &answer.ecx, 4);
  return name;
}

bool pqos_processor_monitors() {
  if (pqos_cpuid(0, 0).eax < kPqosMonitoringLeaf) return false;
  return (pqos_cpuid(kPqosFeaturesLeaf, 0).ebx & kPqosMonitoring) != 0 &&
         (pqos_cpuid(kPqosMonitoringLeaf, 0).edx & kPqosL3) != 0 &&
         (pqos_cpuid(kPqosMonitoringLeaf, 1).edx & kPqosOccupancy) != 0;
}

Status check_pqos_processor() {
  std::string vendor = pqos_vendor_name();
  bool amd = vendor == "AuthenticAMD";
  if (!amd && vendor != "GenuineIntel") {
    return make_error(ErrorCode::kUnsupported,
                      "libpqos monitors the caches of Intel and AMD processors, and this processor is {}'s",
                      vendor);
  }
  if (!pqos_processor_monitors()) {
    if ((pqos_cpuid(1, 0).ecx & kPqosHypervisor) != 0) {
      return make_error(
          ErrorCode::kUnsupported,
          "this is a virtual machine, and its hypervisor does not let it monitor the last-level cache (CPUID): monitor the machine from its host");
    }
    return make_error(
        ErrorCode::kUnsupported,
        "this processor cannot monitor the occupancy of its last-level cache (CPUID has no L3 occupancy monitoring; Intel Xeon and AMD EPYC processors have it)");
  }
  if (amd && (pqos_cpuid(kAmdLongModeLeaf, 0).ebx & kAmdBandwidthAllocation) == 0) {
    return make_error(
        ErrorCode::kUnsupported,
        "libpqos ends the process on AMD's processors that cannot limit bandwidth (CPUID 0x80000008), as this one: mount resctrl instead (mount -t resctrl resctrl /sys/fs/resctrl)");
  }
  return {};
}

// A kernel and a libpqos that both assign ids to CPUs disturb each other; libpqos only warns.
Status check_resctrl_is_not_mounted() {
  if (::access("/sys/fs/resctrl/cpus", F_OK) != 0) return {};
  return make_error(
      ErrorCode::kUnsupported,
      "resctrl is mounted, so the kernel itself assigns the ids by which caches are monitored: use it, or unmount it first (umount /sys/fs/resctrl)");
}

// libpqos takes the name of an interface from the environment, and prints a message if it differs.
Status check_pqos_environment() {
  const char* interface = std::getenv("RDT_IFACE");
  if (interface == nullptr || ::strncasecmp(interface, "MSR", 3) == 0) return {};
  return make_error(ErrorCode::kUnsupported,
                    "the variable RDT_IFACE keeps libpqos from using registers (it is \"{}\"): unset it",
                    interface);
}

// Returns the path of the register file of the first online CPU, usually CPU 0.
std::string pqos_first_msr_file() {
  std::string online = read_text("/sys/devices/system/cpu/online", 1 << 16).value_or("0");
  return fmt::format("/dev/cpu/{}/msr", std::strtoul(online.c_str(), nullptr, 10));
}

Status check_msr_files() {
  std::string path = pqos_first_msr_file();
  UniqueFd file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  int error = errno;
  if (!file.valid() && (error == EACCES || error == EPERM)) {
    return make_error(
        ErrorCode::kPermission,
        "{} cannot be opened for writing ({}): run this as root with CAP_SYS_RAWIO, on a kernel that is not locked down (Secure Boot)",
        path, errno_text(error));
  }
  if (!file.valid()) {
    return make_error(
        ErrorCode::kUnsupported,
        "the processor's registers are reached through {}, which cannot be opened ({}): load the kernel's module with modprobe msr",
        path, errno_text(error));
  }
  uint64_t value = 0;
  if (::pread(file.get(), &value, sizeof value, kPqrAssociation) != sizeof value) {
    return make_error(
        ErrorCode::kUnsupported,
        "the register IA32_PQR_ASSOC, which says by which id a CPU's cache is monitored, cannot be read through {} ({}); in a virtual machine its hypervisor forbids it",
        path, errno_text(errno));
  }
  return {};
}

// libpqos waits for its lock without timeout in each of its functions; a well-behaved owner holds it only
// briefly. The lock is tested but not taken: it belongs to the process, so the first close of the file would
// release it.
Status check_pqos_lock() {
  constexpr int kLooks = 100;
  constexpr auto kPause = std::chrono::milliseconds(10);
  const char* path = "/var/lock/libpqos";
  UniqueFd file(::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file.valid()) {
    return make_error(errno == EACCES || errno == EPERM ? ErrorCode::kPermission : ErrorCode::kIo,
                      "libpqos's lock {} cannot be opened ({}): run this as root, with {} writable", path,
                      errno_text(errno), "/var/lock");
  }
  struct flock lock {};
  for (int look = 0; look < kLooks; ++look) {
    lock = {};
    lock.l_type = F_WRLCK;
    if (::fcntl(file.get(), F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return {};
    std::this_thread::sleep_for(kPause);
  }
  return make_error(
      ErrorCode::kIo,
      "process {} holds libpqos's lock {} and does not release it: end or continue that process", lock.l_pid,
      path);
}

}  // namespace

Status check_before_pqos_init() {
  for (auto check : {check_pqos_environment, check_pqos_processor, check_resctrl_is_not_mounted,
                     check_msr_files, check_pqos_lock}) {
    if (Status status = check(); !status.ok()) return status;
  }
  return {};
}

}  // namespace hm::rdt
