// SPDX-License-Identifier: Apache-2.0
#include "frontend/preprocess/token_store.h"

#include <limits>

namespace caldera::frontend {

TokenStore::TokenStore(Preprocessor& tokens) : sources_(tokens.sources()), names_(tokens.names()) {
    Tok tok;
    do {
        tokens.next(tok);
        add(tok);
    } while (tok.kind != Token::End);
}

void TokenStore::add(const Tok& tok) {
    if (size_ % kChunk == 0) chunks_.push_back(std::make_unique_for_overwrite<Packed[]>(kChunk));
    Packed& packed = chunks_.back()[size_ % kChunk];
    ++size_;
    const size_t length = tok.text.size();
    const int flags = (tok.at_line_start ? kAtLineStart : 0) | (tok.space_before ? kSpaceBefore : 0) |
                      (tok.no_expand ? kNoExpand : 0);
    packed = {.begin = tok.range.begin.offset,
              .what = 0,
              .length = static_cast<uint16_t>(length),
              .flags = static_cast<uint8_t>(flags),
              .kind = tok.kind};
    bool is_small = length <= std::numeric_limits<uint16_t>::max() &&
                    tok.range.end.offset - tok.range.begin.offset == length;
    if (is_small && tok.name != 0) {
        packed.flags |= kIsWord;
        packed.what = tok.name;
    } else if (is_small && tok.kind >= Token::Number && tok.kind <= Token::Pragma) {
        packed.what = static_cast<uint32_t>(texts_.size());
        texts_.push_back(tok.text.data());
    } else if (!is_small || length != spelling(tok.kind).size()) {  // digraphs are longer than what they mean
        packed.flags |= kIsWhole;
        packed.what = static_cast<uint32_t>(whole_.size());
        whole_.push_back(tok);
    }
}

void TokenStore::next(Tok& tok) {
    const size_t index = at_;
    const Packed& packed = this->packed(index);
    if (packed.flags & kIsWhole) {
        tok = whole_[packed.what];
    } else {
        tok.kind = packed.kind;
        tok.at_line_start = packed.flags & kAtLineStart;
        tok.space_before = packed.flags & kSpaceBefore;
        tok.no_expand = packed.flags & kNoExpand;
        tok.name = 0;
        tok.range = {{packed.begin}, {packed.begin + packed.length}};
        if (packed.flags & kIsWord) {
            tok.name = packed.what;
            tok.text = names_.text(packed.what);
        } else if (packed.kind >= Token::Number && packed.kind <= Token::Pragma) {
            tok.text = {texts_[packed.what], packed.length};
        } else {
            tok.text = spelling(packed.kind);
        }
    }
    if (index + 1 < size_) {
        ++at_;
        if (at_ % kChunk == 0) chunks_[index / kChunk].reset();
    }
}

}  // namespace caldera::frontend
