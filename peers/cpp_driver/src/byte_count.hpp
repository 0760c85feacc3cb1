// Lengths of serializations, counted and not kept.
#pragma once

#include <cstdint>
#include <ostream>
#include <streambuf>

namespace driver {

class ByteCounter : public std::streambuf {
public:
    uint64_t count() const { return count_; }

protected:
    int_type overflow(int_type character) override {
        ++count_;
        return traits_type::not_eof(character);
    }
    std::streamsize xsputn(const char*, std::streamsize length) override {
        count_ += static_cast<uint64_t>(length);
        return length;
    }

private:
    uint64_t count_ = 0;
};

// Bytes that `write` writes to the stream it gets.
template <typename Write>
uint64_t bytes_written(Write write) {
    ByteCounter counter;
    std::ostream stream(&counter);
    write(stream);
    return counter.count();
}

}  // namespace driver
