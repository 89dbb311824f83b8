// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
event_t program_scope;                            // 1.9-24 1.5.1-11
constant event_t in_constant = 0;                 // 1.9-24
struct with_event { event_t e; };                 // 1.9-24
union with_events { int i; event_t e; };          // 1.9-24
kernel void argument(event_t e) {}                // 1.9-24
void in_local_param(local event_t e);             // 1.9-24
event_t fine(event_t e, event_t *list);
kernel void uses(local float *l, global float *g, int n) {
    event_t none = 0, copy = none, list[2], *to_list = list;
    local event_t in_local;                       // 1.9-24
    global event_t in_global;                     // 1.9-24
    constant event_t constant_one = 0;            // 1.9-24
    static event_t kept = 0;                      // 1.9-24
    event_t one = 1;                              // 1.13.10-5
    event_t unknown = n;                          // 1.13.10-5
    none = (event_t)0;                            // 1.13.10-5
    // DIFFERS 1.13.10-5: 0 casts implicitly; clang lets it initialise and be passed, but not be assigned
    none = 0;
    none = 1;                                     // 1.13.10-5
    (event_t)1;                                   // 1.13.10-5
    (event_t)n;                                   // 1.13.10-5
    none == copy;
    !none;
    none + 1;
    *none;
    n ? none : copy;
    if (none) return;
    (int)none;
    none = async_work_group_copy(l, g, 1, 0);     // 1.13.10-11
    none = async_work_group_copy(l, l, 1, 0);     // 1.13.10-1
    none = async_work_group_copy(l, g, 1, 1);     // 1.13.10-5
    none = async_work_group_copy(l, g, 1);
    wait_group_events(1, &none);                  // 1.13.10-8
    wait_group_events(1, none);                   // 1.13.10-8
    prefetch(l, 1);                               // 1.13.10-9
}
