// SPDX-License-Identifier: Apache-2.0
// claims FOLDER: writes the programs of claims.h into the folder, each to a file NAME.cl, for claims.sh.
#include "tests/checks/claims.h"

#include <cstdio>
#include <fstream>

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: claims FOLDER\n");
        return 2;
    }
    for (const caldera::claims::Claim& claim : caldera::claims::kClaims) {
        std::ofstream file(std::string(argv[1]) + "/" + std::string(claim.name) + ".cl");
        file << caldera::claims::source(claim);
        if (!file.good()) {
            std::fprintf(stderr, "claims: cannot write %s.cl\n", std::string(claim.name).c_str());
            return 1;
        }
    }
    return 0;
}
