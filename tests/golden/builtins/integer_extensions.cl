// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// CHECK: OpExtension "SPV_KHR_bit_instructions"
// CHECK: OpExtension "SPV_KHR_integer_dot_product"
kernel void integers(global int *out, int2 v, uchar4 a, char4 b, uint p) {
    // CHECK: OpBitFieldInsert %v2uint
    v = bitfield_insert(v, v, 3, 5);
    // CHECK: OpBitFieldSExtract %uint
    out[0] = bitfield_extract_signed((uint)v.x, 1, 2);
    // CHECK: OpBitReverse %uint
    out[1] = bit_reverse(v.y);
    // The signed operand stands first.
    // CHECK: OpSUDot %uint
    out[2] = dot(a, b);
    // CHECK: OpSUDotAccSat %uint
    // CHECK: PackedVectorFormat4x8Bit
    out[4] = dot_acc_sat_4x8packed_us_int(p, p, out[3]);
}
