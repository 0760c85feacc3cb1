#include "keys_of_circuits.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

#include "cryptocontext-ser.h"
#include "key/key-ser.h"
#include "scheme/ckksrns/ckksrns-ser.h"
#include "serialized.hpp"

namespace driver {
namespace {

using namespace lbcrypto;
using Impl = CryptoContextImpl<DCRTPoly>;

// Nonzero coefficients of the sparse secret of OpenFHE's encapsulation (EvalBootstrapKeyGen).
constexpr const char* SPARSE_SECRET = "sparse_ternary:32";

// Memory that the system has left, in gigabytes; infinite where it cannot say.
double available_gigabytes() {
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name;
        double kibibytes = 0;
        if (words >> name >> kibibytes && name == "MemAvailable:")
            return kibibytes * 1024 / 1e9;
    }
    return INFINITY;
}

}  // namespace

void require_memory(double gigabytes) {
    const auto available = available_gigabytes();
    if (available >= gigabytes)
        return;
    std::ostringstream text;
    text.precision(3);
    text << "the set takes " << gigabytes << " GB of memory, of which " << available
         << " GB are available";
    throw unsupported(text.str());
}

Context enabled_for_bootstraps(Context context) {
    for (const auto feature : {PKE, KEYSWITCH, LEVELEDSHE, ADVANCEDSHE, FHE})
        context->Enable(feature);
    return context;
}

void CircuitKeys::generate() {
    forget();
    pair = context->KeyGen();
    if (!pair.good())
        throw Refusal("internal", "OpenFHE made no keys");
    context->EvalMultKeyGen(pair.secretKey);
}

void CircuitKeys::generate_for_bootstraps() {
    context->EvalBootstrapKeyGen(secret(), slots);
}

void CircuitKeys::forget() {
    if (!pair.secretKey)
        return;
    Impl::ClearEvalMultKeys(pair.secretKey->GetKeyTag());
    Impl::ClearEvalAutomorphismKeys(pair.secretKey->GetKeyTag());
    pair = KeyPair<DCRTPoly>();
}

const PrivateKey<DCRTPoly>& CircuitKeys::secret() const {
    if (!pair.secretKey)
        throw bad_request("`keygen` comes first");
    return pair.secretKey;
}

json CircuitKeys::bytes() const {
    const auto tag    = secret()->GetKeyTag();
    const auto relin  = bytes_written([&](std::ostream& out) {
        Impl::SerializeEvalMultKey(out, SerType::BINARY, tag);
    });
    const auto galois = bytes_written([&](std::ostream& out) {
        Impl::SerializeEvalAutomorphismKey(out, SerType::BINARY, tag);
    });
    return {{"sk", serialized(pair.secretKey)},
            {"pk", serialized(pair.publicKey)},
            {"relin", relin},
            {"galois", 0},
            {"bootstrapping", relin + galois}};
}

json CircuitKeys::published() const {
    const auto params = rns(context);
    auto keys         = json::array();
    keys.push_back({{"purpose", "raised modulus"},
                    {"secret", "ternary"},
                    {"log_q", log_qp(context)}});
    if (params->GetSecretKeyDist() == SPARSE_ENCAPSULATED) {
        // The key to the sparse secret has the first ordinary prime and the first special one.
        const auto bits = [](const auto& prime) {
            return std::log2(prime->GetModulus().ConvertToDouble());
        };
        keys.push_back({{"purpose", "to the sparse secret"},
                        {"secret", SPARSE_SECRET},
                        {"log_q", bits(params->GetElementParams()->GetParams()[0]) +
                                      bits(params->GetParamsP()->GetParams()[0])}});
    }
    return keys;
}

}  // namespace driver
