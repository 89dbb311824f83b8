// OPTIONS: -cl-std=CL3.0 -ferror-limit=0
// gcc's and clang's atomic functions: what they take, with clang's messages.
typedef struct Three {
    int a, b, c;
} Three;
typedef struct Bytes {
    char bytes[4];
} Bytes;

kernel void k(global int *p, global const int *cp, constant int *kp, global float *f, global Three *s, int n,
              global int *global *pp, global uchar4 *u4, global void *v, global Bytes *bytes) {
    Three three;
    __atomic_load_n(p);
    __atomic_load_n(n, 0);
    __atomic_load_n(f, 0);
    __atomic_load_n(u4, 0);
    __atomic_store_n(cp, 1, 0);
    __atomic_store_n(kp, 1, 0);
    n = __atomic_load_n(cp, __ATOMIC_RELEASE);
    __atomic_store_n(p, 1, __ATOMIC_ACQUIRE);
    __atomic_clear(p, __ATOMIC_ACQ_REL);
    __atomic_fetch_and(f, 1.0f, 0);
    __atomic_fetch_add(s, 1, 0);
    __atomic_fetch_min(f, 1.0f, 0);
    __atomic_fetch_min(pp, 1, 0);
    __atomic_fetch_add(pp, 1, 0);
    __atomic_fetch_add(v, 1, 0);
    __atomic_load(s, &three, 0);
    __atomic_load(u4, &three, 0);
    __atomic_load(bytes, &three, 0);
    __atomic_load_n(p, n);
    __atomic_load_n(p, 77);
    __atomic_compare_exchange_n(p, f, 1, 0, 0, 0);
    __atomic_compare_exchange_n(p, &n, 1, 0, 7, 3);
    __atomic_compare_exchange_n(p, &n, 1, 0, 0);
    __atomic_test_and_set(n, 0);
    __atomic_test_and_set(cp, 0);
    __atomic_thread_fence();
    __scoped_atomic_load_n(p, 0, 9);
    __scoped_atomic_load_n(p, 0);
    __sync_fetch_and_add(n, 1);
    __sync_fetch_and_add(f, 1);
    __sync_fetch_and_add(cp, 1);
    __sync_fetch_and_add(p);
    __sync_fetch_and_add(p, 1, 2, 3);
    __sync_fetch_and_nand(p, 1);
    __sync_bool_compare_and_swap(p, 1);
    __sync_synchronize(1);
    __sync_lock_release(p);
    __sync_fetch_and_add(s, 1);
    __sync_fetch_and_add(pp, 1);
    __sync_fetch_and_add(pp, (global int *)4);
    __sync_fetch_and_add_4(p, 1);
    __sync_nand_and_fetch_8(p, 1);
    __sync_lock_test_and_set_2(f, 1);
    __sync_val_compare_and_swap_4(p, 1);
    __sync_fetch_and_add();
    __sync_fetch_and_add(f);
    // clang takes an OpenCL device for one without atomics of its own
    _Static_assert(__atomic_always_lock_free(1, 0), "");               // DIFFERS GNU: clang says no
    _Static_assert(__atomic_always_lock_free(sizeof(short), 0), "");   // DIFFERS GNU: clang says no
    _Static_assert(__atomic_always_lock_free(4, p), "");               // DIFFERS GNU: clang says no
    _Static_assert(__atomic_is_lock_free(8, 0), "");                   // DIFFERS GNU: clang asks at run time
    _Static_assert(!__atomic_always_lock_free(4, u4->x ? v : v) && !__atomic_always_lock_free(8, p), "");
    _Static_assert(!__c11_atomic_is_lock_free(3), "");  // DIFFERS GNU: clang asks at run time
    _Static_assert(__c11_atomic_is_lock_free(4), "");   // DIFFERS GNU: clang asks at run time
    __atomic_always_lock_free(n, 0);                    // DIFFERS GNU: only constants have a use
    __atomic_always_lock_free(4, n);
    __atomic_is_lock_free(4);
}
