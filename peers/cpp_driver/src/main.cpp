// A driver of the protocol `fathom.driver/2`: a line in, a line out.

#include <iostream>
#include <string>

#include "server.hpp"

int main() {
    std::ios::sync_with_stdio(false);
    driver::Server server;
    for (std::string line; !server.ended() && std::getline(std::cin, line);) {
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        std::cout << server.answer(line) << '\n' << std::flush;
    }
    return 0;
}
