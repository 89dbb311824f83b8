// SPDX-License-Identifier: Apache-2.0
// One pass cuts the tokens into pieces, each an external declaration or several; then names are followed from
// piece to piece. A piece counts as a function's only when it plainly is
//     … name ( … ) attribute* { … }     or     … name ( … ) attribute* ;
// with no bracket before the name but an attribute's. Every other piece may do anything, so all its names are
// reached.
#include "frontend/parse/reach.h"

namespace caldera::frontend {

Reach::Reach(const TokenStore& tokens) : tokens_(tokens), reached_(tokens.names().size()) {
    std::vector<Piece> pieces(1);
    std::vector<size_t> first_piece(reached_.size());  // of each name
    for (size_t at = 0; tokens_.kind(at) != Token::End; at = pieces.back().end) {
        Piece piece = piece_at(at);
        if (piece.function != 0 && piece.has_body)
            piece.next = std::exchange(first_piece[piece.function], pieces.size());
        // A prototype does not matter, unless it makes a kernel of a function whose definition lacks
        // `kernel`.
        if (piece.function == 0 || piece.is_kernel) mention_all(piece);
        pieces.push_back(piece);
    }
    while (!fresh_.empty()) {
        size_t piece = first_piece[fresh_.back()];
        fresh_.pop_back();
        for (; piece != 0; piece = pieces[piece].next) mention_all(pieces[piece]);
    }
}

/// Skips the token, or everything up to the bracket that closes it.
size_t Reach::skip_brackets(size_t at) const {
    size_t depth = 0;
    for (;; ++at) {
        switch (tokens_.kind(at)) {
            case Token::LeftParen:
            case Token::LeftBracket:
            case Token::LeftBrace: ++depth; break;
            case Token::RightParen:
            case Token::RightBracket:
            case Token::RightBrace: depth -= depth > 0; break;
            case Token::End: return at;
            default: break;
        }
        if (depth == 0) return at + 1;
    }
}

Reach::Piece Reach::piece_at(size_t begin) const {
    Piece piece = {.begin = begin};
    auto skip_attributes = [&](size_t at) {
        while (tokens_.kind(at) == Token::KwAttribute) at = skip_brackets(at + 1);
        return at;
    };
    size_t at = begin;
    for (;;) {  // up to the first bracket
        at = skip_attributes(at);
        Token kind = tokens_.kind(at);
        if (kind == Token::KwKernel) piece.is_kernel = true;
        if (kind == Token::Identifier && tokens_.kind(at + 1) == Token::LeftParen) {
            size_t after = skip_attributes(skip_brackets(at + 1));
            bool defines = tokens_.kind(after) == Token::LeftBrace;
            if (!defines && tokens_.kind(after) != Token::Semicolon) break;
            piece.function = tokens_.name(at);
            piece.has_body = defines;
            piece.end = skip_brackets(after);
            return piece;
        }
        if (kind == Token::LeftParen || kind == Token::LeftBracket || kind == Token::LeftBrace ||
            kind == Token::Equal || kind == Token::Semicolon || kind == Token::End)
            break;
        ++at;
    }
    while (tokens_.kind(at) != Token::End && tokens_.kind(at) != Token::Semicolon) at = skip_brackets(at);
    piece.end = tokens_.kind(at) == Token::End ? at : at + 1;
    return piece;
}

void Reach::mention_all(const Piece& piece) {
    for (size_t i = piece.begin; i < piece.end; ++i) {
        if (tokens_.kind(i) != Token::Identifier) continue;
        NameId name = tokens_.name(i);
        if (reached_[name]) continue;
        reached_[name] = true;
        fresh_.push_back(name);
    }
}

}  // namespace caldera::frontend
