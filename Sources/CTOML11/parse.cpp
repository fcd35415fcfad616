// toml11 behind a C surface: bounded input, a flat tree out, no exception across the edge.
#include "toml11.h"

#include <toml.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <new>
#include <sstream>
#include <string>
#include <vector>

struct toml11_document {
    std::vector<toml11_node> nodes;
    // A deque keeps its strings where they are.
    std::deque<std::string> strings;
    int32_t failure = TOML11_NONE;
    int32_t line = 0;
    std::string text;
};

namespace {

// toml11 recurses once for each bracket, and copies a table once for each dot of its name. A bracket or dot
// is counted wherever it stands, since only the parser itself knows what is a string; a line that begins with
// a number sign is either a comment or inside of a string.
constexpr size_t brackets_max = 200;
constexpr size_t line_dots_max = 100;
constexpr size_t nodes_max = 10000;

struct failure {
    int32_t kind;
    int32_t line;
};

// How many bytes the UTF-8 sequence at the start of the text has; 0 when there is none (RFC 3629).
size_t sequence_length(const unsigned char *text, size_t length) {
    const unsigned char first = text[0];
    if (first < 0x80) { return 1; }
    const size_t count = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (count == 0 || count > length) { return 0; }
    for (size_t at = 1; at < count; at += 1) {
        if ((text[at] & 0xC0) != 0x80) { return 0; }
    }
    const unsigned char second = text[1];
    const bool is_outside = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)
        || (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
    return is_outside ? 0 : count;
}

// toml11 reads beyond its memory when it tells of bytes that are not UTF-8, so it gets none.
void check_encoding(const std::string &input) {
    const auto *bytes = reinterpret_cast<const unsigned char *>(input.data());
    int32_t line = 1;
    size_t at = 0;
    while (at < input.size()) {
        const size_t count = sequence_length(bytes + at, input.size() - at);
        if (count == 0) { throw failure{TOML11_ENCODING, line}; }
        line += bytes[at] == '\n';
        at += count;
    }
}

// toml11 multiplies past the end of its integer for a longer binary number, which C++ leaves undefined.
constexpr size_t binary_digits_max = 62;

bool has_long_binary_number(const std::string &text) {
    for (size_t at = text.find("0b"); at != std::string::npos; at = text.find("0b", at + 2)) {
        const size_t end = text.find_first_not_of("01_", at + 2);
        if ((end == std::string::npos ? text.size() : end) - at - 2 > binary_digits_max) { return true; }
    }
    return false;
}

void check_nesting(const std::string &input) {
    size_t brackets = 0;
    int32_t line = 0;
    size_t start = 0;
    while (start < input.size()) {
        line += 1;
        const size_t end = input.find('\n', start);
        const std::string text = input.substr(start, end == std::string::npos ? end : end - start);
        start = end == std::string::npos ? input.size() : end + 1;
        const size_t first = text.find_first_not_of(" \t");
        if (first == std::string::npos || text[first] == '#') { continue; }
        size_t dots = 0;
        for (const char character : text) {
            brackets += character == '[' || character == '{';
            dots += character == '.';
        }
        if (brackets > brackets_max || dots > line_dots_max) { throw failure{TOML11_TOO_DEEP, line}; }
        if (has_long_binary_number(text)) { throw failure{TOML11_NUMBER, line}; }
    }
}

int32_t line_of(const toml::value &value) {
    return static_cast<int32_t>(value.location().line());
}

// The first line of what the parser says, without its names for its own functions.
std::string first_line(const char *what) {
    std::string text(what, strcspn(what, "\n"));
    const auto strip = [&text](const char *prefix) {
        if (text.rfind(prefix, 0) == 0) { text.erase(0, strlen(prefix)); }
    };
    strip("[error] ");
    if (text.rfind("toml::", 0) == 0 || text.rfind("parse_", 0) == 0 || text.rfind("[error]", 0) == 0) {
        const size_t colon = text.find(':', text.rfind("toml::", 0) == 0 ? 6 : 0);
        size_t after = colon == std::string::npos ? text.size() : colon;
        while (after < text.size() && (text[after] == ':' || text[after] == ' ')) { after += 1; }
        text.erase(0, after);
    }
    return text;
}

struct flattener {
    toml11_document &document;

    const std::string &keep(std::string text) {
        document.strings.push_back(std::move(text));
        return document.strings.back();
    }

    // The parser lets a number that is too large pass as another one, so its text is read again.
    int64_t integer(const toml::value &value) {
        const auto region = toml::detail::get_region(value);
        std::string text = region ? region->str() : std::string();
        text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
        int base = 10;
        if (text.size() > 2 && text[0] == '0') {
            base = text[1] == 'x' ? 16 : text[1] == 'o' ? 8 : text[1] == 'b' ? 2 : 10;
            if (base != 10) { text.erase(0, 2); }
        }
        char *end = nullptr;
        errno = 0;
        const long long number = strtoll(text.c_str(), &end, base);
        if (errno != 0 || text.empty() || *end != 0) { throw failure{TOML11_NUMBER, line_of(value)}; }
        return number;
    }

    void add(const std::string &key, const toml::value &value) {
        if (document.nodes.size() >= nodes_max) { throw failure{TOML11_TOO_LONG, line_of(value)}; }
        toml11_node node = {};
        const std::string &kept = keep(key);
        node.key = kept.data();
        node.key_length = kept.size();
        node.line = line_of(value);
        switch (value.type()) {
        case toml::value_t::boolean:
            node.kind = TOML11_BOOLEAN;
            node.integer = value.as_boolean() ? 1 : 0;
            break;
        case toml::value_t::integer:
            node.kind = TOML11_INTEGER;
            node.integer = integer(value);
            break;
        case toml::value_t::floating:
            node.kind = TOML11_FLOAT;
            node.floating = value.as_floating();
            break;
        case toml::value_t::string: {
            node.kind = TOML11_STRING;
            const std::string &text = keep(value.as_string().str);
            node.text = text.data();
            node.text_length = text.size();
            break;
        }
        case toml::value_t::array:
            node.kind = TOML11_ARRAY;
            node.count = value.as_array().size();
            break;
        case toml::value_t::table:
            node.kind = TOML11_TABLE;
            node.count = value.as_table().size();
            break;
        default: node.kind = TOML11_DATE;
        }
        document.nodes.push_back(node);
        if (node.kind == TOML11_ARRAY) {
            for (const auto &element : value.as_array()) { add(std::string(), element); }
        } else if (node.kind == TOML11_TABLE) {
            for (const auto &member : value.as_table()) { add(member.first, member.second); }
        }
    }
};

void parse(const char *bytes, size_t length, toml11_document &document) {
    if (length > toml11_bytes_max) { throw failure{TOML11_TOO_LONG, 0}; }
    // A last line without its end, or with half of it, is read like any other.
    std::string input(bytes, length);
    if (!input.empty() && input.back() != '\n') { input += '\n'; }
    check_encoding(input);
    check_nesting(input);
    std::istringstream stream(input);
    const toml::value root = toml::parse(stream, "");
    flattener{document}.add(std::string(), root);
}

}  // namespace

toml11_document *toml11_parse(const char *bytes, size_t length) {
    toml11_document *document = new (std::nothrow) toml11_document();
    if (document == nullptr) { return nullptr; }
    try {
        const auto fail = [document](int32_t kind, int32_t line, std::string text) {
            document->nodes.clear();
            document->failure = kind;
            document->line = line;
            document->text = std::move(text);
        };
        try {
            parse(bytes, length, *document);
        } catch (const failure &found) {
            fail(found.kind, found.line, "");
        } catch (const toml::exception &found) {
            fail(TOML11_SYNTAX, static_cast<int32_t>(found.location().line()), first_line(found.what()));
        } catch (const std::exception &) {
            fail(TOML11_INTERNAL, 0, "");
        }
    } catch (...) {
        document->nodes.clear();
        document->failure = TOML11_INTERNAL;
    }
    return document;
}

void toml11_free(toml11_document *document) { delete document; }

int32_t toml11_failure_kind(const toml11_document *document) { return document->failure; }
int32_t toml11_failure_line(const toml11_document *document) { return document->line; }
const char *toml11_failure_text(const toml11_document *document) { return document->text.c_str(); }
size_t toml11_count(const toml11_document *document) { return document->nodes.size(); }
const struct toml11_node *toml11_nodes(const toml11_document *document) { return document->nodes.data(); }
