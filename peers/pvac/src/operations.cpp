#include "operations.hpp"

#include <map>
#include <memory>

#include "field.hpp"

namespace driver {
namespace {

using pvac::Cipher;
using pvac::Fp;

const Shared& ciphertext(const std::vector<Item>& inputs, size_t index) {
    return as<Shared>(inputs[index], "a ciphertext");
}

Item result(Cipher ciphertext) { return std::make_shared<const Cipher>(std::move(ciphertext)); }

const Fp& clear(const std::vector<Item>& inputs, size_t index) {
    return as<Clear>(inputs[index], "a plaintext").value;
}

// The square, by its own function where this version of PVAC has one.
template <typename C>
C square(const pvac::PubKey& key, const C& x) {
    if constexpr (requires { ct_square(key, x); })
        return ct_square(key, x);
    else
        return ct_mul(key, x, x);
}

// Whether this version of PVAC adds constants without encrypting them.
template <typename C>
constexpr bool ADDS_CONSTANTS = requires(const pvac::PubKey& key, const C& x, int64_t k) {
    ct_add_const(key, x, k);
};

// A bound `x + constant`: by the library's own function, or by adding an encryption of the constant
// that is made here, before the timer starts.
template <typename C>
std::function<C(const C&)> plus_constant(const Keys& keys, const Fp& constant) {
    const auto value = residue(constant);
    if constexpr (ADDS_CONSTANTS<C>) {
        return [&keys, value](const C& x) { return ct_add_const(keys.pub, x, value); };
    } else {
        const auto term = std::make_shared<const C>(encrypted(keys, value));
        return [&keys, term](const C& x) { return ct_add(keys.pub, x, *term); };
    }
}

// The products one after another, then added, as in the published comparison.
Call dot(const Keys& keys, const std::vector<Item>& inputs) {
    std::vector<Shared> list;
    for (size_t index = 0; index < inputs.size(); ++index)
        list.push_back(ciphertext(inputs, index));
    return [&keys, list]() -> Item {
        const size_t half = list.size() / 2;
        auto sum          = ct_mul(keys.pub, *list[0], *list[half]);
        for (size_t index = 1; index < half; ++index)
            sum = ct_add(keys.pub, sum, ct_mul(keys.pub, *list[index], *list[half + index]));
        return result(std::move(sum));
    };
}

// The powers one after another, each scaled, as in the published comparison.
Call polynomial(const Keys& keys, const Shared& x, const std::vector<int64_t>& coefficients) {
    if (coefficients.size() < 2)
        throw bad_request("a polynomial wants two coefficients at least");
    std::vector<Fp> factors;
    for (const auto coefficient : coefficients)
        factors.push_back(element(coefficient));
    const auto finish = plus_constant<Cipher>(keys, factors[0]);
    return [&keys, x, factors, finish]() -> Item {
        auto power = *x;
        auto sum   = ct_scale(keys.pub, power, factors[1]);
        for (size_t degree = 2; degree < factors.size(); ++degree) {
            power = ct_mul(keys.pub, power, *x);
            sum   = ct_add(keys.pub, sum, ct_scale(keys.pub, power, factors[degree]));
        }
        return result(finish(sum));
    };
}

using Bind = Call (*)(const Keys&, const Operation&, const std::vector<Item>&);

// Binds a function of one ciphertext.
template <auto Function>
Call unary(const Keys& keys, const Operation&, const std::vector<Item>& inputs) {
    return [&keys, x = ciphertext(inputs, 0)]() -> Item { return result(Function(keys.pub, *x)); };
}

// Binds a function of two ciphertexts.
template <auto Function>
Call binary(const Keys& keys, const Operation&, const std::vector<Item>& inputs) {
    return [&keys, x = ciphertext(inputs, 0), y = ciphertext(inputs, 1)]() -> Item {
        return result(Function(keys.pub, *x, *y));
    };
}

Call encryption(const Keys& keys, const Operation&, const std::vector<Item>& inputs) {
    return [&keys, value = residue(clear(inputs, 0))]() -> Item {
        return result(encrypted(keys, value));
    };
}

Call decryption(const Keys& keys, const Operation&, const std::vector<Item>& inputs) {
    return [&keys, x = ciphertext(inputs, 0)]() -> Item {
        return Clear{dec_value(keys.pub, keys.secret, *x)};
    };
}

Call scaling(const Keys& keys, const Operation&, const std::vector<Item>& inputs) {
    return [&keys, x = ciphertext(inputs, 0), factor = clear(inputs, 1)]() -> Item {
        return result(ct_scale(keys.pub, *x, factor));
    };
}

Call addition_of_clear(const Keys& keys, const Operation&, const std::vector<Item>& inputs) {
    const auto finish = plus_constant<Cipher>(keys, clear(inputs, 1));
    return [x = ciphertext(inputs, 0), finish]() -> Item { return result(finish(*x)); };
}

// Products have a default argument in later versions of PVAC.
Cipher product(const pvac::PubKey& key, const Cipher& x, const Cipher& y) {
    return ct_mul(key, x, y);
}

struct Row {
    // 0 where the number may vary.
    size_t operands;
    Bind bind;
};

const std::map<std::string, Row> OPERATIONS{
    {"encrypt_sk", {1, encryption}},
    {"decrypt", {1, decryption}},
    {"add", {2, binary<pvac::ct_add>}},
    {"sub", {2, binary<pvac::ct_sub>}},
    {"neg", {1, unary<pvac::ct_neg>}},
    {"mul", {2, binary<product>}},
    {"mul_switch", {2, binary<product>}},
    {"square", {1, unary<square<Cipher>>}},
    {"add_plain", {2, addition_of_clear}},
    {"mul_plain", {2, scaling}},
    {"dot",
     {0,
      [](const Keys& keys, const Operation&, const std::vector<Item>& inputs) {
          return dot(keys, inputs);
      }}},
    {"polynomial",
     {1,
      [](const Keys& keys, const Operation& operation, const std::vector<Item>& inputs) {
          return polynomial(keys, ciphertext(inputs, 0), operation.coefficients);
      }}},
};

}  // namespace

std::vector<std::string> operation_names() {
    std::vector<std::string> names;
    for (const auto& [name, row] : OPERATIONS)
        names.push_back(name);
    return names;
}

Call bind_operation(const Keys& keys, const Operation& operation, const std::vector<Item>& inputs) {
    const auto found = OPERATIONS.find(operation.name);
    if (found == OPERATIONS.end())
        throw unsupported("PVAC has no operation `" + operation.name + "` here");
    const auto& row  = found->second;
    const bool fits = row.operands == 0 ? inputs.size() >= 2 && inputs.size() % 2 == 0
                                        : inputs.size() == row.operands;
    if (!fits)
        throw bad_request("`" + operation.name + "` got " + std::to_string(inputs.size()) +
                          " operands");
    return row.bind(keys, operation, inputs);
}

pvac::Cipher encrypted(const Keys& keys, int64_t value) {
    return enc_value(keys.pub, keys.secret, static_cast<uint64_t>(value));
}

}  // namespace driver
