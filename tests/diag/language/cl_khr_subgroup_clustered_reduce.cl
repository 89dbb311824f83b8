// OPTIONS: -cl-std=CL2.0
// SPIR-V's ClusterSize is a constant, so the extension asks for one; clang's header cannot.
kernel void clusters(global int *p, uint n) {
    const uint size = 4;
    p[0] = sub_group_clustered_reduce_add(p[1], size);
    // DIFFERS cl_khr_subgroup_clustered_reduce: "clustersize must be an integral constant expression"
    p[0] = sub_group_clustered_reduce_add(p[1], n);
    // DIFFERS cl_khr_subgroup_clustered_reduce: "a power-of-two"
    p[0] = sub_group_clustered_rotate(p[1], 1, 6);
}
