#ifndef CPicture_cpicture_h
#define CPicture_cpicture_h
#include <stddef.h>
#include <stdint.h>

// Pictures drawn by chafa from what GdkPixbuf decodes. Both libraries are loaded when the first picture is drawn, in a
// process of its own, since they bring many others and read what strangers sent.

/// How an attempt to draw ended; also the exit code of the process that draws.
enum {
    HERALD_PICTURE_DRAWN = 0,
    HERALD_PICTURE_NO_LIBRARY = 3,
    HERALD_PICTURE_NO_FORMAT = 4,
    HERALD_PICTURE_BROKEN = 5,
    HERALD_PICTURE_TOO_LARGE = 6
};

/// The room for a picture.
typedef struct {
    int columns, rows;
    /// How many colours may be used: 256, 16, 8, or 2 for none.
    int colors;
    /// The pixels of a cell.
    int cell_width, cell_height;
    /// The most pixels a picture may have.
    int64_t pixels_max;
} herald_picture_room;

/// A cell: its letter and the palette's numbers of its colours, -1 for the terminal's own.
typedef struct {
    uint32_t symbol;
    int16_t foreground, background;
} herald_picture_cell;

/// What was drawn.
typedef struct {
    /// The picture's own size in pixels.
    int width, height;
    int columns, rows;
} herald_picture_size;

/// Decodes a picture of a type and draws it into `cells`, which has room for all of `room`.
int herald_picture_draw(const uint8_t *bytes, size_t count, const char *type, const herald_picture_room *room,
                        herald_picture_cell *cells, herald_picture_size *size);

/// Decodes a picture and scales it to the pixels of its cells: four bytes each, red, green, blue and alpha.
///
/// `pixels` has room for all pixels of `room`.
int herald_picture_scale(const uint8_t *bytes, size_t count, const char *type, const herald_picture_room *room,
                         uint8_t *pixels, herald_picture_size *size);
#endif
