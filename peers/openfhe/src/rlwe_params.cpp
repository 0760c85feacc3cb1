#include "rlwe_params.hpp"

#include <cmath>
#include <map>

namespace driver {
namespace {

using namespace lbcrypto;

// Largest log2 of a modulus at 128 bits by ring dimension, for ternary secrets: Table 5.2 of
// "Security Guidelines for Implementing Homomorphic Encryption", IACR CiC 1(4), 2025.
const std::map<uint32_t, double> GREATEST_LOG_QP{
    {1024, 26}, {2048, 53}, {4096, 106}, {8192, 214}, {16384, 430}, {32768, 868}, {65536, 1747}};

// Largest ring dimension that is tried.
constexpr uint32_t GREATEST_RING = 65536;

// Bits of the first CKKS modulus above the scale, for the integer part of values.
constexpr uint32_t CKKS_INTEGER_BITS = 20;

SecurityLevel level_of(uint32_t security) {
    if (security <= 128)
        return HEStd_128_classic;
    if (security <= 192)
        return HEStd_192_classic;
    if (security <= 256)
        return HEStd_256_classic;
    throw unsupported("OpenFHE has tables for 128, 192 and 256 bits");
}

template <typename Scheme>
CCParams<Scheme> common(const Purpose& purpose) {
    CCParams<Scheme> params;
    params.SetMultiplicativeDepth(purpose.depth);
    params.SetSecurityLevel(level_of(purpose.security));
    if (purpose.ring_dimension != 0)
        params.SetRingDim(purpose.ring_dimension);
    return params;
}

Context generate(const Purpose& purpose) {
    switch (purpose.scheme) {
        case Purpose::Scheme::BFV: {
            auto params = common<CryptoContextBFVRNS>(purpose);
            params.SetPlaintextModulus(purpose.plain_modulus);
            return GenCryptoContext(params);
        }
        case Purpose::Scheme::BGV: {
            auto params = common<CryptoContextBGVRNS>(purpose);
            params.SetPlaintextModulus(purpose.plain_modulus);
            if (!purpose.defaults)
                params.SetScalingTechnique(FIXEDAUTO);
            return GenCryptoContext(params);
        }
        default: {
            auto params = common<CryptoContextCKKSRNS>(purpose);
            params.SetScalingModSize(purpose.scale_bits);
            if (!purpose.defaults) {
                params.SetFirstModSize(std::min(60U, purpose.scale_bits + CKKS_INTEGER_BITS));
                params.SetScalingTechnique(FIXEDAUTO);
            }
            return GenCryptoContext(params);
        }
    }
}

uint64_t number(const json& params, const char* name, uint64_t otherwise, uint64_t most) {
    const auto found = params.find(name);
    if (found == params.end() || found->is_null())
        return otherwise;
    if (!found->is_number_unsigned())
        throw bad_request(std::string("`") + name + "` is no count");
    const auto value = found->get<uint64_t>();
    if (value > most)
        throw unsupported(std::string("`") + name + "` is at most " + std::to_string(most));
    return value;
}

}  // namespace

double log_of(const BigInteger& modulus) {
    const double value = modulus.ConvertToDouble();
    return std::isfinite(value) ? std::log2(value) : modulus.GetMSB();
}

std::shared_ptr<CryptoParametersRNS> rns(const Context& context) {
    auto found = std::dynamic_pointer_cast<CryptoParametersRNS>(context->GetCryptoParameters());
    if (!found)
        throw Refusal("internal", "the context has no RNS parameters");
    return found;
}

double log_qp(const Context& context) {
    const auto params = rns(context);
    if (params->GetKeySwitchTechnique() == HYBRID && params->GetParamsQP())
        return log_of(params->GetParamsQP()->GetModulus());
    return log_of(params->GetElementParams()->GetModulus());
}

Purpose read_purpose(const std::string& scheme, const json& params) {
    if (params.contains("preset"))
        throw unsupported("OpenFHE has no presets of " + scheme + " here: ask for a depth");
    Purpose purpose{};
    purpose.scheme = scheme == "bfv"   ? Purpose::Scheme::BFV
                     : scheme == "bgv" ? Purpose::Scheme::BGV
                                       : Purpose::Scheme::CKKS;
    if (!params.contains("depth"))
        throw bad_request("`params` wants a `depth`");
    purpose.depth          = number(params, "depth", 0, 60);
    purpose.plain_modulus  = number(params, "plain_modulus", 0, uint64_t(1) << 59);
    purpose.scale_bits     = number(params, "scale_bits", 40, 59);
    purpose.security       = number(params, "security", 128, 256);
    purpose.ring_dimension = number(params, "n", 0, GREATEST_RING);
    const auto defaults    = params.find("defaults");
    purpose.defaults       = defaults != params.end() && *defaults == true;
    if (purpose.exact() && purpose.plain_modulus < 2)
        throw bad_request("an exact scheme wants a `plain_modulus` of at least 2");
    if (!purpose.exact() && purpose.scale_bits < 15)
        throw unsupported("OpenFHE wants a scale of 15 bits at least");
    const auto n = purpose.ring_dimension;
    if (n != 0 && (n < 16 || (n & (n - 1)) != 0))
        throw unsupported("the ring degree is a power of two");
    return purpose;
}

Context make_context(const Purpose& asked) {
    Purpose purpose = asked;
    for (;;) {
        Context context;
        try {
            context = generate(purpose);
        } catch (const OpenFHEException& error) {
            const bool forced = asked.ring_dimension != 0;
            throw Refusal(forced ? "insecure" : "unsupported",
                          std::string("OpenFHE refused the parameters: ") + error.what());
        }
        const auto n     = context->GetRingDimension();
        const auto limit = GREATEST_LOG_QP.find(n);
        const bool holds = purpose.security > 128 || limit == GREATEST_LOG_QP.end() ||
                           log_qp(context) <= limit->second + 0.05;
        if (holds || purpose.defaults) {
            context->Enable(PKE);
            context->Enable(KEYSWITCH);
            context->Enable(LEVELEDSHE);
            context->Enable(ADVANCEDSHE);
            return context;
        }
        if (asked.ring_dimension != 0 || n >= GREATEST_RING)
            throw Refusal("insecure", "log2 of the largest modulus is " +
                                          std::to_string(log_qp(context)) + " in the ring of " +
                                          std::to_string(n));
        purpose.ring_dimension = 2 * n;
    }
}

json describe_ring(const Context& context, const std::string& name) {
    const auto params = rns(context);
    return {{"name", name},
            {"n", context->GetRingDimension()},
            {"log_q", log_of(params->GetElementParams()->GetModulus())},
            {"log_qp", log_qp(context)},
            {"secret", params->GetSecretKeyDist() == GAUSSIAN ? "gaussian" : "ternary"},
            {"sigma", params->GetDistributionParameter()}};
}

json describe(const Context& context, const Purpose& purpose) {
    const auto params = rns(context);
    const auto n      = context->GetRingDimension();
    std::ostringstream explanation;
    explanation << "the library's generator: " << params->GetScalingTechnique() << ", "
                << params->GetKeySwitchTechnique() << " key switching";
    const auto name = "n" + std::to_string(n) + "-d" + std::to_string(purpose.depth);
    auto reply      = describe_ring(context, name);
    reply["slots"]  = purpose.exact() ? n : n / 2;
    reply["levels"] = params->GetElementParams()->GetParams().size() - 1;
    reply["depth"]  = purpose.depth;
    reply["explanation"] = explanation.str();
    if (purpose.exact())
        reply["plain_modulus"] = purpose.plain_modulus;
    else
        reply["scale_bits"] = purpose.scale_bits;
    return reply;
}

}  // namespace driver
