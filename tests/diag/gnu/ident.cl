// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -pedantic
// Notes for an object file, which a module has no place for.
#ident "version 3"
#sccs "version 3"
#ident "a" b
#ident
#ident 3
#sccs version
kernel void k(global int *p) { *p = 1; }
