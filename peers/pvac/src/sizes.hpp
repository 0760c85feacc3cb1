// Lengths of the files that the tests of PVAC write; the library itself writes none.
#pragma once

#include <cstdint>

#include <pvac/pvac.hpp>

namespace driver {

// A bit vector: its length, then its words.
inline uint64_t file_bytes(const pvac::BitVec& bits) { return 4 + 8 * bits.w.size(); }

// A file with one ciphertext: a header of 16 bytes, two counts, layers and edges. The constant that
// later versions add to a ciphertext is not written by the tests.
inline uint64_t file_bytes(const pvac::Cipher& ciphertext) {
    uint64_t bytes = 16 + 8;
    for (const auto& layer : ciphertext.L)
        bytes += layer.rule == pvac::RRule::BASE ? 1 + 24 : 1 + 8;
    for (const auto& edge : ciphertext.E)
        bytes += 8 + 16 + file_bytes(edge.s);
    return bytes;
}

inline uint64_t file_bytes(const pvac::SecKey& key) {
    return 8 + 8 * key.prf_k.size() + 8 + 8 * key.lpn_s_bits.size();
}

// The matrix, the permutation with its inverse, and the powers are written in full, although the
// tag and the generator determine them.
inline uint64_t file_bytes(const pvac::PubKey& key) {
    uint64_t bytes = 8 + 8 * 4 + 8 + 4 + 8 + key.H_digest.size() + 8;
    for (const auto& column : key.H)
        bytes += file_bytes(column);
    bytes += 8 + 4 * key.ubk.perm.size() + 8 + 4 * key.ubk.inv.size();
    return bytes + 16 + 8 + 16 * key.powg_B.size();
}

// What decryption needs of a ciphertext: the seed or the parents of each layer, and one element for
// each layer with edges.
inline uint64_t needed_bytes(const pvac::Cipher& ciphertext) {
    uint64_t bytes = 0;
    std::vector<bool> has_edges(ciphertext.L.size());
    for (const auto& edge : ciphertext.E)
        has_edges[edge.layer_id] = true;
    for (size_t index = 0; index < ciphertext.L.size(); ++index) {
        bytes += ciphertext.L[index].rule == pvac::RRule::BASE ? 24 : 8;
        bytes += has_edges[index] ? 16 : 0;
    }
    return bytes;
}

}  // namespace driver
