// SPDX-License-Identifier: Apache-2.0
// Vector literals of every shape. Those of constants become constants.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
constant int4 four = (int4)(1, 2, 3, 4);                                            // 1.1.6-1
constant int4 filled = (int4)(5);                                                   // 1.1.6-4
constant int4 nested = (int4)((int2)(1, 2), (int2)(3, 4));                          // 1.1.6-7
constant uint4 converted = (uint4)(7);                                              // 1.1.6-8
constant uchar4 wrapped = (uchar4)(257, -1, 'a', true);                             // 1.1.6-8
constant float4 floats = (float4)(1, 2u, 3.5, 4L);                                  // 1.1.6-8
constant int8 pieces = (int8)(1, (int2)(2, 3), (int3)(4, 5, 6), (int2)(7));         // 1.1.6-3, 1.1.6-6
constant int3 three = (int3)(1, (int2)(2, 3));                                      // 1.1.6-3
constant int16 wide = (int16)((int8)(1), (int4)(2), (int3)(3), 4);                  // 1.1.6-3
kernel void k(global float4 *out, float a, float2 b, float3 c, int i, constant int4 *in) {
    out[0] = (float4)(a, b, a);
    out[1] = (float4)(b, b);
    out[2] = (float4)(c, a) + (float4)(a);            // 1.1.6-1: a primary expression
    out[3].x = (float4)(a, b, a).y;                   // 1.1.6-1: which a selection follows
    out[4] = (float4)(i, 1, 2.0f, a);                 // 1.1.6-8
    out[5] = (float4)(i);                             // 1.1.6-8, 1.1.6-4
    out[6] = (float4)((float2)(a, 1), (float2)(b));   // 1.1.6-7
    out[7] = (float4)((a, 2.0f), b, a);               // 1.1.6-6: in the order written
    ((global int4 *)out)[8] = four + filled + nested + in[0] + pieces.lo + wide.lo.lo;
    ((global uint4 *)out)[9] = converted;
    out[10] = floats;
    out[11].xyz = convert_float3(three);
    ((global uchar4 *)out)[99] = wrapped;
}
// CHECK: OpConstantComposite %v4uint %uint_1 %uint_2 %uint_3 %uint_4
// CHECK: OpConstantComposite %v4uint %uint_5 %uint_5 %uint_5 %uint_5
// CHECK: OpConstantComposite %v8uint %uint_1 %uint_2 %uint_3 %uint_4 %uint_5 %uint_6 %uint_7 %uint_7
// CHECK: OpConstantComposite %v16uint %uint_1 %uint_1 %uint_1 %uint_1 %uint_1 %uint_1 %uint_1 %uint_1 %uint_2 %uint_2 %uint_2 %uint_2 %uint_3 %uint_3 %uint_3 %uint_4
// CHECK: OpConstantComposite %v4uint %uint_7 %uint_7 %uint_7 %uint_7
// CHECK: OpConstantComposite %v4float %float_1 %float_2 %float_3_5 %float_4
// CHECK: OpConstantComposite %v3uint %uint_1 %uint_2 %uint_3
// CHECK: OpConstantComposite %v4uchar %uchar_1 %uchar_255 %uchar_97 %uchar_1
// CHECK: %k = OpFunction
// out[0], lanes 0, 1 and 2, 3
// CHECK: OpCompositeInsert %v4float
// CHECK: 0 4 5 3
// CHECK: OpCompositeInsert %v4float
// out[1] and the two of out[2]
// CHECK: 0 1 2 3
// CHECK: OpFAdd %v4float
// CHECK: OpCompositeExtract %float
// CHECK: OpConvertSToF %float
// CHECK: OpConvertSToF %float
// CHECK: 0 0 0 0
