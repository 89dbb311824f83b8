// SPDX-License-Identifier: Apache-2.0
// The Mandelbrot set by subdivision (Mariani and Silver): the set has no islands, so if the border of a square has
// one escape time, the whole square has it. A work-group looks at a square. If the border differs, it enqueues the
// four quarters.
// OPTIONS: -cl-std=CL2.0
// NEEDS: addresses
#define GROUP 32  // work-items for a square
#define SMALL 8   // pixels of a side, below which all are computed

typedef struct {
    uint width, height, limit;
} View;

uint escape_time(View view, uint x, uint y) {
    const float2 c = (float2)(-2.25f + 3.0f * (float)x / (float)view.width, -1.0f + 2.0f * (float)y / (float)view.height);
    float2 z = (float2)(0.0f);
    uint steps = 0;
    while (steps < view.limit && dot(z, z) < 4.0f) {
        z = (float2)(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
        ++steps;
    }
    return steps;
}

/// `range`: the least and the largest escape time of the border, for the work-group.
void look_at(global uint *times, global uint *computed, View view, queue_t queue, uint2 corner, uint size, local uint *range) {
    const uint item = get_local_id(0), last = size - 1, border = 4 * last;
    if (item == 0) {
        range[0] = view.limit;
        range[1] = 0;
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = item; i < border; i += GROUP) {
        const uint along = i % last, side = i / last;
        const uint2 at = corner + (side == 0   ? (uint2)(along, 0)
                                   : side == 1 ? (uint2)(last, along)
                                   : side == 2 ? (uint2)(last - along, last)
                                               : (uint2)(0, last - along));
        const uint steps = escape_time(view, at.x, at.y);
        times[at.y * view.width + at.x] = steps;
        atomic_min(&range[0], steps);
        atomic_max(&range[1], steps);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);

    const uint inner = size - 2, inside = inner * inner;
    const bool is_even = range[0] == range[1], is_small = size <= SMALL;
    if (is_even || is_small)
        for (uint i = item; i < inside; i += GROUP) {
            const uint2 at = corner + 1 + (uint2)(i % inner, i / inner);
            times[at.y * view.width + at.x] = is_even ? range[0] : escape_time(view, at.x, at.y);
        }
    if (item != 0) return;
    atomic_add(computed, border + (is_small && !is_even ? inside : 0));
    if (is_even || is_small) return;
    const uint half_size = size / 2;
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4 * GROUP, GROUP),
                   ^(local void *space) {
                       const uint quarter = get_group_id(0);
                       look_at(times, computed, view, queue, corner + half_size * (uint2)(quarter % 2, quarter / 2),
                               half_size, (local uint *)space);
                   },
                   2 * (uint)sizeof(uint));
}

/// A work-group for each square of the first size.
kernel void subdivision(global uint *times, global uint *computed, View view, uint size, queue_t queue) {
    local uint range[2];
    const uint squares = view.width / size, square = get_group_id(0);
    look_at(times, computed, view, queue, size * (uint2)(square % squares, square / squares), size, range);
}
