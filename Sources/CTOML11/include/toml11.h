#ifndef CTOML11_toml11_h
#define CTOML11_toml11_h
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a node of the tree is.
enum toml11_kind {
    TOML11_STRING = 0,
    TOML11_INTEGER = 1,
    TOML11_FLOAT = 2,
    TOML11_BOOLEAN = 3,
    TOML11_DATE = 4,
    TOML11_ARRAY = 5,
    TOML11_TABLE = 6,
};

/// Why there is no tree.
enum toml11_failure {
    TOML11_NONE = 0,
    TOML11_TOO_LONG = 1,
    TOML11_TOO_DEEP = 2,
    TOML11_SYNTAX = 3,
    TOML11_NUMBER = 4,
    TOML11_ENCODING = 5,
    TOML11_INTERNAL = 6,
};

/// One value; the children of an array or a table follow it, each with all of its own.
struct toml11_node {
    int32_t kind;
    int32_t line;
    /// Children of an array or a table.
    size_t count;
    int64_t integer;
    double floating;
    /// The member's name in a table; empty elsewhere. Not ended by a zero.
    const char *key;
    size_t key_length;
    /// A string's text. Not ended by a zero.
    const char *text;
    size_t text_length;
};

/// The outcome of a parse, whole or failed.
typedef struct toml11_document toml11_document;

/// Input may have this many bytes.
static const size_t toml11_bytes_max = 32768;

/// Reads a document; NULL only when memory is short. No exception leaves it.
toml11_document *toml11_parse(const char *bytes, size_t length);
void toml11_free(toml11_document *document);

/// A `toml11_failure`, and the line it is about; 0 when none is known.
int32_t toml11_failure_kind(const toml11_document *document);
int32_t toml11_failure_line(const toml11_document *document);
/// The parser's own words on a `TOML11_SYNTAX`, ended by a zero.
const char *toml11_failure_text(const toml11_document *document);

/// The nodes in order, the root table first; none after a failure.
size_t toml11_count(const toml11_document *document);
const struct toml11_node *toml11_nodes(const toml11_document *document);

#ifdef __cplusplus
}
#endif
#endif
