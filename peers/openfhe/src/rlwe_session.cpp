// BFV, BGV and CKKS.

#include "cryptocontext-ser.h"
#include "key/key-ser.h"
#include "library.hpp"
#include "rlwe_operations.hpp"
#include "rlwe_params.hpp"
#include "scheme/bfvrns/bfvrns-ser.h"
#include "scheme/bgvrns/bgvrns-ser.h"
#include "scheme/ckksrns/ckksrns-ser.h"
#include "serialized.hpp"

namespace driver {
namespace {

using namespace lbcrypto;

class RlweSession : public Session {
public:
    explicit RlweSession(const Purpose& purpose)
        : purpose_(purpose), context_(make_context(purpose)) {}

    ~RlweSession() override { forget_keys(); }

    json params() const override { return describe(context_, purpose_); }

    // OpenFHE stores evaluation keys in maps that all contexts share, by the tag of the secret key.
    void generate_keys() override {
        forget_keys();
        keys_ = context_->KeyGen();
        if (!keys_.good())
            throw Refusal("internal", "OpenFHE made no keys");
        context_->EvalMultKeyGen(keys_.secretKey);
    }

    void generate_rotation_keys(const std::vector<int32_t>& steps, bool row_swap) override {
        secret();
        if (!steps.empty())
            context_->EvalRotateKeyGen(keys_.secretKey, steps);
        if (row_swap && purpose_.exact()) {
            // The automorphism X -> X^(2N-1) swaps the rows.
            const uint32_t swap = 2 * context_->GetRingDimension() - 1;
            CryptoContextImpl<DCRTPoly>::InsertEvalAutomorphismKey(
                context_->EvalAutomorphismKeyGen(keys_.secretKey, {swap}));
        }
    }

    json key_bytes() const override {
        const auto tag   = secret()->GetKeyTag();
        const auto relin = [&](std::ostream& out) {
            CryptoContextImpl<DCRTPoly>::SerializeEvalMultKey(out, SerType::BINARY, tag);
        };
        const auto galois = [&](std::ostream& out) {
            CryptoContextImpl<DCRTPoly>::SerializeEvalAutomorphismKey(out, SerType::BINARY, tag);
        };
        const auto& rotations = CryptoContextImpl<DCRTPoly>::GetAllEvalAutomorphismKeys();
        return {{"sk", serialized(keys_.secretKey)},
                {"pk", serialized(keys_.publicKey)},
                {"relin", bytes_written(relin)},
                {"galois", rotations.count(tag) == 0 ? 0 : bytes_written(galois)}};
    }

    Item encode(const json& values, const std::string& encoding) const override {
        return encode_at(values, encoding, 0);
    }

    json decode(const Item& item, const std::string& encoding) const override {
        const auto& plaintext = as<Encoded>(item, "a plaintext").plaintext;
        check_encoding(encoding);
        if (!purpose_.exact()) {
            auto copy = plaintext;
            copy->SetLength(context_->GetRingDimension() / 2);
            return copy->GetRealPackedValue();
        }
        const bool slots = encoding == "slots";
        if ((plaintext->GetEncodingType() == PACKED_ENCODING) != slots)
            throw bad_request("the plaintext has another encoding");
        plaintext->SetLength(context_->GetRingDimension());
        return slots ? plaintext->GetPackedValue() : plaintext->GetCoefPackedValue();
    }

    Item encrypt(const Item& clear, bool with_public_key, const json& level) const override {
        const auto& encoded = as<Encoded>(clear, "a plaintext");
        secret();
        auto plaintext = encoded.plaintext;
        if (!level.is_null()) {
            const auto top = static_cast<uint64_t>(fresh_level());
            if (!level.is_number_unsigned() || level.get<uint64_t>() > top)
                throw unsupported("there are levels 0 to " + std::to_string(top));
            const auto dropped = static_cast<uint32_t>(top - level.get<uint64_t>());
            if (dropped > 0 && purpose_.scheme == Purpose::Scheme::BFV)
                throw unsupported("OpenFHE encrypts BFV at the top level");
            if (dropped > 0 && encoded.values.is_null())
                throw bad_request("a decrypted plaintext has its level");
            if (dropped > 0)
                plaintext = encode_at(encoded.values, encoded.encoding, dropped).plaintext;
        }
        return with_public_key ? context_->Encrypt(keys_.publicKey, plaintext)
                               : context_->Encrypt(keys_.secretKey, plaintext);
    }

    Item decrypt(const Item& item) const override {
        return decrypted(context_, secret(), as<Cipher>(item, "a ciphertext"));
    }

    Call bind(const Operation& operation, const std::vector<Item>& inputs) const override {
        secret();
        return bind_rlwe({context_, purpose_, keys_}, operation, inputs);
    }

    json ciphertext_bytes(const Item& item) const override { return lengths(item); }

    json level(const Item& item) const override {
        if (const auto* ciphertext = std::get_if<Cipher>(&item))
            return (*ciphertext)->GetElements()[0].GetNumOfElements() - 1;
        return nullptr;
    }

private:
    void forget_keys() {
        if (!keys_.secretKey)
            return;
        CryptoContextImpl<DCRTPoly>::ClearEvalMultKeys(keys_.secretKey->GetKeyTag());
        CryptoContextImpl<DCRTPoly>::ClearEvalAutomorphismKeys(keys_.secretKey->GetKeyTag());
        keys_ = KeyPair<DCRTPoly>();
    }

    const PrivateKey<DCRTPoly>& secret() const {
        if (!keys_.secretKey)
            throw bad_request("`keygen` comes first");
        return keys_.secretKey;
    }

    int64_t fresh_level() const {
        const auto& params = context_->GetCryptoParameters()->GetElementParams();
        return static_cast<int64_t>(params->GetParams().size()) - 1;
    }

    void check_encoding(const std::string& encoding) const {
        if (encoding != "slots" && (encoding != "coefficients" || !purpose_.exact()))
            throw unsupported("OpenFHE has no encoding `" + encoding + "` here");
    }

    Encoded encode_at(const json& values, const std::string& encoding, uint32_t dropped) const {
        check_encoding(encoding);
        const auto slots = context_->GetRingDimension() / (purpose_.exact() ? 1 : 2);
        if (!values.is_array() || values.size() > slots)
            throw bad_request("`values` are at most " + std::to_string(slots) + " numbers");
        for (const auto& value : values)
            if (purpose_.exact() ? !value.is_number_integer() : !value.is_number())
                throw bad_request("`values` are numbers, whole ones in an exact scheme");
        if (!purpose_.exact()) {
            auto reals = values.get<std::vector<double>>();
            reals.resize(std::max<size_t>(reals.size(), 1));
            return {context_->MakeCKKSPackedPlaintext(reals, 1, dropped), values, encoding};
        }
        std::vector<int64_t> residues;
        for (const auto& value : values)
            residues.push_back(centred(value.get<int64_t>()));
        residues.resize(std::max<size_t>(residues.size(), 1));
        auto plaintext = encoding == "slots"
                             ? context_->MakePackedPlaintext(residues, 1, dropped)
                             : context_->MakeCoefPackedPlaintext(residues, 1, dropped);
        return {plaintext, values, encoding};
    }

    // OpenFHE takes residues in -t/2..t/2.
    int64_t centred(int64_t value) const {
        const auto t = static_cast<int64_t>(purpose_.plain_modulus);
        auto residue = value % t;
        if (residue > t / 2)
            residue -= t;
        else if (residue < -(t / 2))
            residue += t;
        return residue;
    }

    Purpose purpose_;
    Context context_;
    KeyPair<DCRTPoly> keys_;
};

}  // namespace

std::unique_ptr<Session> open_rlwe(const std::string& scheme, const json& params) {
    if (scheme != "bfv" && scheme != "bgv" && scheme != "ckks")
        return nullptr;
    const auto name = params.find("preset");
    if (scheme == "ckks" && name != params.end() && name->is_string())
        return open_bootstrap(*name);
    return std::make_unique<RlweSession>(read_purpose(scheme, params));
}

std::vector<json> rlwe_schemes() {
    std::vector<json> schemes;
    for (const char* scheme : {"bfv", "bgv"})
        schemes.push_back(
            {{"scheme", scheme}, {"params", json::array()}, {"ops", rlwe_operation_names()}});
    auto of_reals = rlwe_operation_names();
    of_reals.push_back("bootstrap");
    schemes.push_back({{"scheme", "ckks"}, {"params", bootstrap_set_names()}, {"ops", of_reals}});
    return schemes;
}

}  // namespace driver
