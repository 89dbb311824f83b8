// SPDX-License-Identifier: Apache-2.0
// clspv's reflection cannot tell of what the host says of an image where arguments by value are in a storage buffer.
// OPTIONS: --abi=descriptors --value-arguments=storage-buffer
kernel void k(read_only image2d_t image, global int *out) { out[0] = get_image_channel_order(image); }
