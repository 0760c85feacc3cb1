#include "rlwe_operations.hpp"

#include <map>

namespace driver {
namespace {

using namespace lbcrypto;

using Binder = Call (*)(const Rlwe&, const Operation&, const std::vector<Item>&);

const Cipher& cipher(const std::vector<Item>& inputs, size_t index) {
    return as<Cipher>(inputs[index], "a ciphertext");
}

Plaintext plain(const std::vector<Item>& inputs, size_t index) {
    return as<Encoded>(inputs[index], "a plaintext").plaintext;
}

// With the library's defaults, rescaling is delayed until the next product; otherwise it is
// immediate.
bool drops_at_once(const Rlwe& rlwe) {
    return !rlwe.purpose.defaults && rlwe.purpose.scheme != Purpose::Scheme::BFV;
}

void drop_level(const Rlwe& rlwe, Cipher& ciphertext) {
    if (ciphertext->GetElements()[0].GetNumOfElements() > 1)
        rlwe.context->GetScheme()->ModReduceInternalInPlace(ciphertext, 1);
}

// A product; in CKKS it is rescaled, in BGV if `switched`.
template <typename Product>
Call product(const Rlwe& rlwe, bool switched, Product product) {
    const bool drop =
        drops_at_once(rlwe) && (switched || rlwe.purpose.scheme == Purpose::Scheme::CKKS);
    return [rlwe, drop, product]() -> Item {
        Cipher result = product();
        if (drop)
            drop_level(rlwe, result);
        return result;
    };
}

template <bool SWITCHED>
Call multiply(const Rlwe& rlwe, const Operation&, const std::vector<Item>& inputs) {
    return product(rlwe, SWITCHED,
                   [context = rlwe.context, x = cipher(inputs, 0), y = cipher(inputs, 1)] {
                       return context->EvalMult(x, y);
                   });
}

Call square(const Rlwe& rlwe, const Operation&, const std::vector<Item>& inputs) {
    return product(rlwe, false, [context = rlwe.context, x = cipher(inputs, 0)] {
        return context->EvalSquare(x);
    });
}

Call rotate(const Rlwe& rlwe, const Operation& operation, const std::vector<Item>& inputs) {
    if (!operation.steps)
        throw bad_request("`rotate` needs the argument `steps`");
    const auto row   = static_cast<int64_t>(rlwe.context->GetRingDimension()) / 2;
    const auto steps = static_cast<int32_t>(*operation.steps % row);
    return [context = rlwe.context, x = cipher(inputs, 0), steps]() -> Item {
        return context->EvalRotate(x, steps);
    };
}

uint32_t all_slots(const Rlwe& rlwe) {
    return rlwe.context->GetRingDimension() / (rlwe.purpose.exact() ? 1 : 2);
}

Cipher sum_of_slots(const Rlwe& rlwe, const Cipher& x) {
    const auto& tag  = x->GetKeyTag();
    const auto& keys = CryptoContextImpl<DCRTPoly>::GetEvalAutomorphismKeyMap(tag);
    return rlwe.context->GetScheme()->EvalSum(x, all_slots(rlwe), keys);
}

Call rotate_sum(const Rlwe& rlwe, const Operation&, const std::vector<Item>& inputs) {
    return [rlwe, x = cipher(inputs, 0)]() -> Item { return sum_of_slots(rlwe, x); };
}

Call dot_slots(const Rlwe& rlwe, const Operation&, const std::vector<Item>& inputs) {
    return [rlwe, x = cipher(inputs, 0), y = cipher(inputs, 1)]() -> Item {
        return sum_of_slots(rlwe, rlwe.context->EvalMult(x, y));
    };
}

// The products are summed before a single relinearisation.
Call dot(const Rlwe& rlwe, const Operation&, const std::vector<Item>& inputs) {
    std::vector<Cipher> operands;
    for (size_t index = 0; index < inputs.size(); ++index)
        operands.push_back(cipher(inputs, index));
    return product(rlwe, false, [context = rlwe.context, operands] {
        const auto half = operands.size() / 2;
        auto sum        = context->EvalMultNoRelin(operands[0], operands[half]);
        for (size_t i = 1; i < half; ++i)
            context->EvalAddInPlace(sum, context->EvalMultNoRelin(operands[i], operands[half + i]));
        return context->Relinearize(sum);
    });
}

// Computes (c0 + c1 x) + (c2 + c3 x) x^2 on two levels.
Item cubic(const Context& context, const Cipher& x, const std::vector<double>& c) {
    const auto low  = context->EvalAdd(context->EvalMult(x, c[1]), c[0]);
    const auto high = context->EvalAdd(context->EvalMult(x, c[3]), c[2]);
    return context->EvalAdd(low, context->EvalMult(high, context->EvalSquare(x)));
}

// `EvalPoly` takes a level for the coefficients after those of the powers. A polynomial of degree 3
// is computed by hand if this level is missing.
Call polynomial_of_reals(const Rlwe& rlwe, const Cipher& x, std::vector<double> coefficients) {
    uint32_t levels = 1;
    while ((size_t{1} << (levels - 1)) < coefficients.size() - 1)
        ++levels;
    const auto context = rlwe.context;
    if (levels <= rlwe.purpose.depth)
        return [context, x, coefficients]() -> Item { return context->EvalPoly(x, coefficients); };
    if (coefficients.size() > 4 || rlwe.purpose.depth < 2)
        throw unsupported("`EvalPoly` takes " + std::to_string(levels) + " levels, of " +
                          std::to_string(rlwe.purpose.depth));
    coefficients.resize(4);
    return [context, x, coefficients] { return cubic(context, x, coefficients); };
}

// Computes powers as products of the halves of their exponents, which minimises the depth; CKKS has
// an operation for it.
Call polynomial(const Rlwe& rlwe, const Operation& operation, const std::vector<Item>& inputs) {
    const auto& coefficients = operation.coefficients;
    if (coefficients.size() < 2)
        throw bad_request("`polynomial` needs the argument `coefficients`, two at least");
    const auto x = cipher(inputs, 0);
    if (!rlwe.purpose.exact()) {
        const std::vector<double> reals(coefficients.begin(), coefficients.end());
        return polynomial_of_reals(rlwe, x, reals);
    }
    // OpenFHE requires constants in the encoding of the ciphertext: for slots, the same value in
    // every slot.
    const bool slots = x->GetEncodingType() == PACKED_ENCODING;
    std::vector<Plaintext> constants;
    const auto t = static_cast<int64_t>(rlwe.purpose.plain_modulus);
    for (const auto coefficient : coefficients) {
        auto residue = coefficient % t;
        residue -= residue > t / 2 ? t : residue < -(t / 2) ? -t : 0;
        const std::vector<int64_t> everywhere(slots ? all_slots(rlwe) : 1, residue);
        constants.push_back(slots ? rlwe.context->MakePackedPlaintext(everywhere)
                                  : rlwe.context->MakeCoefPackedPlaintext(everywhere));
    }
    return [context = rlwe.context, x, constants]() mutable -> Item {
        auto sum = context->EvalAdd(context->EvalMult(x, constants[1]), constants[0]);
        std::vector<Cipher> powers{nullptr, x};
        for (size_t exponent = 2; exponent < constants.size(); ++exponent) {
            const auto half = exponent / 2;
            powers.push_back(context->EvalMult(powers[half], powers[exponent - half]));
            sum = context->EvalAdd(sum, context->EvalMult(powers[exponent], constants[exponent]));
        }
        return sum;
    };
}

Call mod_switch(const Rlwe& rlwe, const Operation&, const std::vector<Item>& inputs) {
    const auto& x     = cipher(inputs, 0);
    const auto towers = x->GetElements()[0].GetNumOfElements();
    if (towers < 2)
        throw unsupported("the ciphertext is at the last level");
    if (rlwe.purpose.scheme == Purpose::Scheme::CKKS)
        return [context = rlwe.context, x]() -> Item {
            auto lower = x->Clone();
            context->GetScheme()->LevelReduceInternalInPlace(lower, 1);
            return lower;
        };
    if (rlwe.purpose.scheme == Purpose::Scheme::BFV)
        return [context = rlwe.context, x, towers]() -> Item {
            return context->Compress(x, towers - 1);
        };
    return [rlwe, x]() -> Item {
        auto lower = x->Clone();
        drop_level(rlwe, lower);
        return lower;
    };
}

template <bool PUBLIC>
Call encrypt(const Rlwe& rlwe, const Operation&, const std::vector<Item>& inputs) {
    const auto plaintext = plain(inputs, 0);
    return [rlwe, plaintext]() -> Item {
        return PUBLIC ? rlwe.context->Encrypt(rlwe.keys.publicKey, plaintext)
                      : rlwe.context->Encrypt(rlwe.keys.secretKey, plaintext);
    };
}

// Number of operands of an operation, and the function that prepares it.
struct Entry {
    size_t operands;  // 0 for an even number of at least 2
    Binder bind;
};

// A call with one or two operands on the context.
#define ON_CONTEXT(EXPRESSION)                                                       \
    [](const Rlwe& rlwe, const Operation&, const std::vector<Item>& inputs) -> Call { \
        return EXPRESSION;                                                           \
    }

const std::map<std::string, Entry>& table() {
    static const std::map<std::string, Entry> entries{
        {"encrypt_pk", {1, encrypt<true>}},
        {"encrypt_sk", {1, encrypt<false>}},
        {"decrypt", {1, ON_CONTEXT(([rlwe, x = cipher(inputs, 0)]() -> Item {
                         return decrypted(rlwe.context, rlwe.keys.secretKey, x);
                     }))}},
        {"add", {2, ON_CONTEXT(([c = rlwe.context, x = cipher(inputs, 0), y = cipher(inputs, 1)]()
                                    -> Item { return c->EvalAdd(x, y); }))}},
        {"sub", {2, ON_CONTEXT(([c = rlwe.context, x = cipher(inputs, 0), y = cipher(inputs, 1)]()
                                    -> Item { return c->EvalSub(x, y); }))}},
        {"mul", {2, multiply<false>}},
        {"mul_switch", {2, multiply<true>}},
        {"mul_no_relin",
         {2, ON_CONTEXT(([c = rlwe.context, x = cipher(inputs, 0), y = cipher(inputs, 1)]()
                             -> Item { return c->EvalMultNoRelin(x, y); }))}},
        {"relin", {1, ON_CONTEXT(([c = rlwe.context, x = cipher(inputs, 0)]() -> Item {
                       return c->Relinearize(x);
                   }))}},
        {"add_plain",
         {2, ON_CONTEXT(([c = rlwe.context, x = cipher(inputs, 0), y = plain(inputs, 1)]() mutable
                         -> Item { return c->EvalAdd(x, y); }))}},
        {"mul_plain",
         {2, ON_CONTEXT(([c = rlwe.context, x = cipher(inputs, 0), y = plain(inputs, 1)]() mutable
                         -> Item { return c->EvalMult(x, y); }))}},
        {"square", {1, square}},
        {"rotate", {1, rotate}},
        {"rotate_sum", {1, rotate_sum}},
        {"dot", {0, dot}},
        {"dot_slots", {2, dot_slots}},
        {"polynomial", {1, polynomial}},
        {"mod_switch", {1, mod_switch}},
    };
    return entries;
}

#undef ON_CONTEXT

}  // namespace

json rlwe_operation_names() {
    json names = json::array();
    for (const auto& [name, entry] : table())
        names.push_back(name);
    return names;
}

Call bind_rlwe(const Rlwe& rlwe, const Operation& operation, const std::vector<Item>& inputs) {
    const auto found = table().find(operation.name);
    if (found == table().end())
        throw unsupported("OpenFHE has no operation `" + operation.name + "` here");
    const auto wanted = found->second.operands;
    const bool fits   = wanted > 0 ? inputs.size() == wanted
                                   : inputs.size() >= 2 && inputs.size() % 2 == 0;
    if (!fits)
        throw bad_request("`" + operation.name + "` got " + std::to_string(inputs.size()) +
                          " operands");
    return found->second.bind(rlwe, operation, inputs);
}

Item decrypted(const Context& context, const PrivateKey<DCRTPoly>& secret,
               const Cipher& ciphertext) {
    Plaintext plaintext;
    const auto result = context->Decrypt(secret, ciphertext, &plaintext);
    if (!result.isValid)
        throw Refusal("noise_exhausted", "OpenFHE found no plaintext");
    return Encoded{plaintext, nullptr, ""};
}

}  // namespace driver
