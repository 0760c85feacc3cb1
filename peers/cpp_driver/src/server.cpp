#include "server.hpp"

#include <limits>

#include "stopwatch.hpp"

namespace driver {
namespace {

// Largest number of threads accepted.
constexpr uint64_t MOST_THREADS = 1024;

json reply_error(const json& id, const std::string& code, const std::string& message) {
    const json error{{"code", code}, {"message", message}, {"details", nullptr}};
    return {{"id", id}, {"ok", false}, {"error", error}};
}

// Returns a field of the request, or the default if it is absent or null; refuses if there is no
// default.
template <typename T>
T field(const json& request, const char* name, std::optional<T> otherwise = std::nullopt) {
    const auto found = request.find(name);
    if (found == request.end() || found->is_null()) {
        if (otherwise)
            return *otherwise;
        throw bad_request(std::string("the field `") + name + "` is missing");
    }
    try {
        return found->get<T>();
    } catch (const json::exception&) {
        throw bad_request(std::string("the field `") + name + "` is of another kind");
    }
}

uint64_t count(const json& request, const char* name, std::optional<uint64_t> otherwise = {}) {
    const auto found = request.find(name);
    if (found != request.end() && !found->is_null() && !found->is_number_unsigned())
        throw bad_request(std::string("`") + name + "` is no count");
    return field<uint64_t>(request, name, otherwise);
}

json hello() {
    const auto own = library();
    return {{"protocol", "fathom.driver/2"},
            {"library",
             {{"name", own.name},
              {"version", own.version},
              {"build", own.build},
              {"isa_used", own.isa_used}}},
            {"schemes", schemes()}};
}

Operation operation(const json& request) {
    Operation operation{field<std::string>(request, "op"), {}, {}};
    const auto args = field<json>(request, "args", json::object());
    if (!args.is_object())
        throw bad_request("`args` is an object");
    if (args.contains("steps") && !args["steps"].is_null())
        operation.steps = field<int64_t>(args, "steps");
    operation.coefficients =
        field<std::vector<int64_t>>(args, "coefficients", std::vector<int64_t>{});
    return operation;
}

}  // namespace

std::string Server::answer(const std::string& line) {
    json id = nullptr;
    json reply;
    try {
        const json request = json::parse(line);
        if (!request.is_object() || !request.contains("id"))
            throw bad_request("a request is an object with an `id`");
        id = request["id"];
        if (!id.is_number_unsigned())
            throw bad_request("`id` is no whole number");
        reply       = dispatch(request);
        reply["id"] = id;
        reply["ok"] = true;
    } catch (const Refusal& refusal) {
        reply = reply_error(id, refusal.code, refusal.message);
    } catch (const json::exception& error) {
        reply = reply_error(id, "bad_request", error.what());
    } catch (const std::exception& error) {
        reply = reply_error(id, "internal", library().title + " refused: " + error.what());
    }
    return reply.dump(-1, ' ', false, json::error_handler_t::replace);
}

json Server::dispatch(const json& request) {
    const auto verb = field<std::string>(request, "verb");
    if (verb == "hello")
        return hello();
    if (verb == "prepare")
        return prepare(request);
    if (verb == "keygen")
        return keygen(request);
    if (verb == "encrypt")
        return encrypt(request);
    if (verb == "plaintext")
        return plaintext(request);
    if (verb == "run")
        return run(request);
    if (verb == "decrypt")
        return decrypt(request);
    if (verb == "noise")
        return noise(request);
    if (verb == "drop")
        return drop(request);
    if (verb == "bye") {
        ended_ = true;
        return json::object();
    }
    throw bad_request("there is no verb `" + verb + "`");
}

Server::Open& Server::open(const json& request) {
    const auto id    = count(request, "session");
    const auto found = sessions_.find(id);
    if (found == sessions_.end())
        throw bad_request("there is no session " + std::to_string(id));
    use_threads(found->second.op_threads);
    return found->second;
}

uint64_t Server::keep(Open& open, Item item) {
    open.items.emplace(next_, std::move(item));
    return next_++;
}

static const Item& item_of(const std::map<uint64_t, Item>& items, uint64_t handle) {
    const auto found = items.find(handle);
    if (found == items.end())
        throw bad_request("there is no handle " + std::to_string(handle));
    return found->second;
}

json Server::prepare(const json& request) {
    const auto scheme     = field<std::string>(request, "scheme");
    const auto params     = field<json>(request, "params");
    const auto threads    = count(request, "threads", 1);
    const auto op_threads = count(request, "op_threads", 1);
    if (!params.is_object())
        throw bad_request("`params` is an object");
    if (threads == 0 || op_threads == 0)
        throw bad_request("`threads` and `op_threads` must be at least 1");
    if (threads > MOST_THREADS || op_threads > MOST_THREADS)
        throw unsupported("over the limit of " + std::to_string(MOST_THREADS) + " threads");
    if (request.contains("seed") && !request["seed"].is_null())
        throw unsupported(library().title + " draws its seeds from the system");
    check_threads(static_cast<int>(op_threads));
    use_threads(static_cast<int>(op_threads));
    auto session = open_session(scheme, params);
    if (!session)
        throw unsupported(library().title + " has no scheme `" + scheme + "` here");
    const auto described = session->params();
    Open opened{std::move(session), threads, static_cast<int>(op_threads), {}};
    sessions_.emplace(next_, std::move(opened));
    return {{"session", next_++}, {"params", described}};
}

json Server::keygen(const json& request) {
    auto& opened         = open(request);
    const auto rotations = field(request, "rotations", std::optional(std::vector<int32_t>{}));
    const bool row_swap  = count(request, "row_swap", 0) != 0;
    const auto reps      = count(request, "reps", 1);
    if (reps == 0 || reps > 1'000'000)
        throw bad_request("`reps` is 1 to 1000000");
    std::vector<uint64_t> samples, rotate_samples;
    for (uint64_t rep = 0; rep < reps; ++rep) {
        opened.items.clear();
        samples.push_back(timed([&] { opened.session->generate_keys(); }));
        if (!rotations.empty() || row_swap)
            rotate_samples.push_back(
                timed([&] { opened.session->generate_rotation_keys(rotations, row_swap); }));
    }
    json reply{{"samples_ns", samples},
               {"rotate_samples_ns", rotate_samples},
               {"bytes", opened.session->key_bytes()}};
    if (auto published = opened.session->published(); !published.is_null())
        reply["published"] = std::move(published);
    return reply;
}

json Server::encrypt(const json& request) {
    auto& opened    = open(request);
    const auto mode = field<std::string>(request, "mode");
    if (mode != "sk" && mode != "pk")
        throw bad_request("`mode` is sk or pk");
    const auto encoding = field<std::string>(request, "encoding", std::string("slots"));
    const auto clear    = opened.session->encode(field<json>(request, "values"), encoding);
    const auto level    = request.contains("level") ? request["level"] : json(nullptr);
    auto ciphertext     = opened.session->encrypt(clear, mode == "pk", level);
    const auto bytes    = opened.session->ciphertext_bytes(ciphertext);
    return {{"ct", keep(opened, std::move(ciphertext))},
            {"bytes", bytes},
            {"noise_budget_bits", nullptr}};
}

json Server::plaintext(const json& request) {
    auto& opened        = open(request);
    const auto encoding = field<std::string>(request, "encoding", std::string("slots"));
    auto clear          = opened.session->encode(field<json>(request, "values"), encoding);
    return {{"pt", keep(opened, std::move(clear))}};
}

json Server::decrypt(const json& request) {
    auto& opened        = open(request);
    const auto& item    = item_of(opened.items, count(request, "ct"));
    const auto encoding = field<std::string>(request, "encoding", std::string("slots"));
    const auto& session = *opened.session;
    return {{"values", session.decode(is_clear(item) ? item : session.decrypt(item), encoding)}};
}

// None of these libraries measures the noise.
json Server::noise(const json& request) {
    auto& opened = open(request);
    item_of(opened.items, count(request, "ct"));
    return {{"measured_budget_bits", nullptr}, {"tracked_budget_bits", nullptr}};
}

json Server::drop(const json& request) {
    for (const auto handle : field<std::vector<uint64_t>>(request, "handles")) {
        size_t found = 0;
        for (auto& [id, opened] : sessions_)
            found += opened.items.erase(handle);
        if (found == 0)
            throw bad_request("there is no handle " + std::to_string(handle));
    }
    return json::object();
}

json Server::run(const json& request) {
    auto& opened        = open(request);
    const auto sets     = field<std::vector<std::vector<uint64_t>>>(request, "inputs");
    const auto unbounded = std::numeric_limits<uint64_t>::max();
    const Plan plan{count(request, "warmup", 0),         count(request, "iterations", 1),
                    count(request, "samples", 1),        count(request, "budget_ns", unbounded),
                    opened.threads,                      opened.op_threads};
    if (sets.size() < plan.threads || sets.empty() || plan.iterations == 0 || plan.samples == 0)
        throw bad_request(
            "`run` needs an input set for each thread, and at least one iteration and one sample");
    const auto wanted = operation(request);
    std::vector<Call> calls;
    for (const auto& set : sets) {
        std::vector<Item> operands;
        for (const auto handle : set)
            operands.push_back(item_of(opened.items, handle));
        calls.push_back(opened.session->bind(wanted, operands));
    }
    auto outcome = driver::run(calls, plan);
    json outputs = json::array(), level = nullptr;
    std::optional<uint64_t> bytes_out;
    for (auto& output : outcome.outputs) {
        if (!output) {
            outputs.push_back(nullptr);
            continue;
        }
        if (!bytes_out) {
            const auto bytes = opened.session->ciphertext_bytes(*output);
            bytes_out        = bytes["packed"].get<uint64_t>();
            level            = opened.session->level(*output);
        }
        outputs.push_back(keep(opened, std::move(*output)));
    }
    const json unknown{{"before", nullptr}, {"after", nullptr}, {"predicted_after", nullptr}};
    return {{"samples_ns", outcome.samples_ns},
            {"iterations", plan.iterations},
            {"cpu_ns", outcome.cpu_ns},
            {"involuntary_switches", outcome.involuntary_switches},
            {"outputs", outputs},
            {"bytes_out", bytes_out.value_or(0)},
            {"level", level},
            {"noise_budget_bits", unknown}};
}

}  // namespace driver
