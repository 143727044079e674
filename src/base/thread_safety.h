// SPDX-License-Identifier: MIT
// Names of clang's attributes for thread safety (clang's manual, "Thread Safety Analysis"): which lock
// protects a member, and which locks a function takes or requires. clang's -Wthread-safety checks them; other
// compilers ignore them. Freestanding.
#pragma once

#ifdef __clang__
#define HM_THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define HM_THREAD_SAFETY(attribute)
#endif

// A class whose objects are locks.
#define HM_LOCK HM_THREAD_SAFETY(capability("lock"))
// A class whose objects hold a lock from their construction to their destruction.
#define HM_SCOPED_LOCK HM_THREAD_SAFETY(scoped_lockable)
// A member that is accessed only with the lock held; of a pointer, what it points to.
#define HM_GUARDED_BY(lock) HM_THREAD_SAFETY(guarded_by(lock))
#define HM_POINTEE_GUARDED_BY(lock) HM_THREAD_SAFETY(pt_guarded_by(lock))
// Of a function: the caller holds the locks, or does not hold them.
#define HM_REQUIRES(...) HM_THREAD_SAFETY(requires_capability(__VA_ARGS__))
#define HM_EXCLUDES(...) HM_THREAD_SAFETY(locks_excluded(__VA_ARGS__))
// Of a function: it takes or releases the locks; without an argument, this object.
#define HM_ACQUIRES(...) HM_THREAD_SAFETY(acquire_capability(__VA_ARGS__))
#define HM_RELEASES(...) HM_THREAD_SAFETY(release_capability(__VA_ARGS__))
// Of a function that takes the locks if it returns `success`.
#define HM_TRIES_TO_ACQUIRE(success, ...) HM_THREAD_SAFETY(try_acquire_capability(success, __VA_ARGS__))
// Of a function that returns a reference to the lock.
#define HM_RETURNS_LOCK(lock) HM_THREAD_SAFETY(lock_returned(lock))
// Of a function after which the lock counts as held, because no other thread can access what it protects.
#define HM_ASSUMES_LOCK(...) HM_THREAD_SAFETY(assert_capability(__VA_ARGS__))
// Of a function that is not checked: a lambda that runs while its caller holds the lock, which clang does not
// see, or one with a comment that states the reason.
#define HM_UNCHECKED_LOCKS HM_THREAD_SAFETY(no_thread_safety_analysis)
