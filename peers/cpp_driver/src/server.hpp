// The driver side of the protocol: requests in, replies out.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "protocol.hpp"

namespace driver {

class Server {
public:
    // The reply to one line, without its end. Never throws.
    std::string answer(const std::string& line);

    // Whether `bye` was said.
    bool ended() const { return ended_; }

private:
    struct Open {
        std::unique_ptr<Session> session;
        uint64_t threads;
        int op_threads;
        std::map<uint64_t, Item> items;
    };

    json dispatch(const json& request);
    json prepare(const json& request);
    json keygen(const json& request);
    json encrypt(const json& request);
    json plaintext(const json& request);
    json run(const json& request);
    json decrypt(const json& request);
    json noise(const json& request);
    json drop(const json& request);

    Open& open(const json& request);
    uint64_t keep(Open& open, Item item);

    std::map<uint64_t, Open> sessions_;
    uint64_t next_ = 1;
    bool ended_    = false;
};

}  // namespace driver
