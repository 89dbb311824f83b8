// SPDX-License-Identifier: Apache-2.0
// The options of a file: from `.caldera.toml`, from compile_commands.json, or from the client.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/compile_options.h"
#include "spirv/support/result.h"

namespace caldera::language_server {

/// Reads a compiler's arguments without the program's name. Relative paths are relative to `folder`.
using ReadOptions =
    std::function<Result<frontend::CompileOptions>(std::vector<std::string> args, const std::string& folder)>;

/// The name of the file that says what a folder's kernels are compiled with.
constexpr std::string_view kOptionsFile = ".caldera.toml";

/// Reads `options = ["-cl-std=CL3.0", "-Iinclude"]`, the one key of such a file, with TOML's comments and
/// strings. Without the key there are no options.
Result<std::vector<std::string>> parse_options_file(std::string_view text);

class Project {
 public:
    explicit Project(ReadOptions read) : read_(std::move(read)) {}

    /// What the client asks for where no file says anything.
    void set_default_options(std::vector<std::string> args, std::string folder);
    /// The options of a file by its absolute path: those of the nearest `.caldera.toml` in its folder or
    /// above; else those of its command in the nearest compile_commands.json, which may be in a folder
    /// `build`; else the client's. Valid until forget().
    const frontend::CompileOptions& options(const std::string& path);
    /// The kernels that a compile_commands.json names, and the folder that it describes.
    struct Listed {
        std::string folder = {};  ///< ends with '/'; empty if there is no such file
        std::vector<std::string> kernels = {};
    };
    /// What the nearest one says, for a file by its absolute path. Valid until forget().
    const Listed& listed(const std::string& path);
    /// What went wrong since the last call, a sentence each.
    std::vector<std::string> take_faults();
    /// Reads all files again when they are needed.
    void forget() { known_.clear(), listed_.clear(); }

 private:
    frontend::CompileOptions find(const std::string& path);
    frontend::CompileOptions read(std::vector<std::string> args, const std::string& folder,
                                  const std::string& where);

    ReadOptions read_;
    std::vector<std::string> default_args_ = {};
    std::string default_folder_ = {};
    std::map<std::string, frontend::CompileOptions> known_ = {};
    std::map<std::string, Listed> listed_ = {};  // by the folder of the files that ask
    std::vector<std::string> faults_ = {};
};

}  // namespace caldera::language_server
