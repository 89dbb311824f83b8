// SPDX-License-Identifier: Apache-2.0
// The tokens of a translation unit. All are read before the first is parsed, so that parse/reach.h can look
// ahead.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "frontend/preprocess/preprocessor.h"

namespace caldera::frontend {

/// Stores tokens in 12 bytes each, and returns each once, freeing its memory.
class TokenStore {
 public:
    explicit TokenStore(Preprocessor& tokens);

    void next(Tok& tok);  ///< End for ever after the last
    Tok next() {
        Tok tok;
        next(tok);
        return tok;
    }
    const SourceManager& sources() const { return sources_; }
    NameTable& names() const { return names_; }

    // These are about tokens that next() has not returned yet. Tokens are counted from 0 over the whole unit.
    size_t size() const { return size_; }
    Token kind(size_t index) const { return packed(index).kind; }
    NameId name(size_t index) const {
        const Packed& token = packed(index);
        return token.flags & kIsWord ? token.what : token.flags & kIsWhole ? whole_[token.what].name : 0;
    }

 private:
    static constexpr size_t kChunk = 4096;
    enum Flag : uint8_t { kAtLineStart = 1, kSpaceBefore = 2, kNoExpand = 4, kIsWord = 8, kIsWhole = 16 };
    /// A token whose range is as long as its text. Its kind determines everything else. It has no default
    /// initialisation, so that unused pages of a chunk are never touched.
    struct Packed {
        uint32_t begin;
        uint32_t what;  // kIsWord: the name; kIsWhole: index into whole_; else into texts_, or nothing
        uint16_t length;
        uint8_t flags;
        Token kind;
    };
    static_assert(sizeof(Packed) == 12);
    using Chunk = std::unique_ptr<Packed[]>;

    void add(const Tok& tok);
    const Packed& packed(size_t index) const { return chunks_[index / kChunk][index % kChunk]; }

    const SourceManager& sources_;
    NameTable& names_;
    std::vector<Chunk> chunks_ = {};
    std::vector<const char*> texts_ = {};  // of literals
    std::vector<Tok> whole_ = {};  // tokens that nothing smaller holds: pasted ones, macros' strings, ...
    size_t size_ = 0;
    size_t at_ = 0;
};

}  // namespace caldera::frontend
