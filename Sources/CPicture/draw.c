#include "cpicture.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// The few functions used, by hand, so that no headers of the libraries are needed. Objects are opaque.
static struct {
    void *(*loader_new)(const char *, void **);
    int (*loader_write)(void *, const uint8_t *, size_t, void **);
    int (*loader_close)(void *, void **);
    void (*loader_set_size)(void *, int, int);
    void *(*loader_pixbuf)(void *);
    void *(*oriented)(void *);
    void *(*scaled)(const void *, int, int, int);
    int (*width)(const void *);
    int (*height)(const void *);
    int (*rowstride)(const void *);
    int (*channels)(const void *);
    const uint8_t *(*pixels)(const void *);
    unsigned long (*connect)(void *, const char *, void (*)(void), void *, void *, int);
    void *(*map_new)(void);
    void (*map_add)(void *, int);
    void *(*config_new)(void);
    void (*config_geometry)(void *, int, int);
    void (*config_mode)(void *, int);
    void (*config_map)(void *, const void *);
    void (*config_work)(void *, float);
    void *(*canvas_new)(const void *);
    void (*canvas_draw)(void *, int, const uint8_t *, int, int, int);
    uint32_t (*canvas_char)(void *, int, int);
    void (*canvas_colors)(void *, int, int, int *, int *);
} lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;

static void load(void) {
    void *object = dlopen("libgobject-2.0.so.0", RTLD_LAZY | RTLD_GLOBAL);
    void *pixbuf = dlopen("libgdk_pixbuf-2.0.so.0", RTLD_LAZY | RTLD_GLOBAL);
    void *chafa = dlopen("libchafa.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (object == NULL || pixbuf == NULL || chafa == NULL) return;
#define FIND(from, field, name)                                                                                       \
    if ((*(void **)&lib.field = dlsym(from, name)) == NULL) return;
    FIND(object, connect, "g_signal_connect_data")
    FIND(pixbuf, loader_new, "gdk_pixbuf_loader_new_with_mime_type")
    FIND(pixbuf, loader_write, "gdk_pixbuf_loader_write")
    FIND(pixbuf, loader_close, "gdk_pixbuf_loader_close")
    FIND(pixbuf, loader_set_size, "gdk_pixbuf_loader_set_size")
    FIND(pixbuf, loader_pixbuf, "gdk_pixbuf_loader_get_pixbuf")
    FIND(pixbuf, oriented, "gdk_pixbuf_apply_embedded_orientation")
    FIND(pixbuf, scaled, "gdk_pixbuf_scale_simple")
    FIND(pixbuf, width, "gdk_pixbuf_get_width")
    FIND(pixbuf, height, "gdk_pixbuf_get_height")
    FIND(pixbuf, rowstride, "gdk_pixbuf_get_rowstride")
    FIND(pixbuf, channels, "gdk_pixbuf_get_n_channels")
    FIND(pixbuf, pixels, "gdk_pixbuf_read_pixels")
    FIND(chafa, map_new, "chafa_symbol_map_new")
    FIND(chafa, map_add, "chafa_symbol_map_add_by_tags")
    FIND(chafa, config_new, "chafa_canvas_config_new")
    FIND(chafa, config_geometry, "chafa_canvas_config_set_geometry")
    FIND(chafa, config_mode, "chafa_canvas_config_set_canvas_mode")
    FIND(chafa, config_map, "chafa_canvas_config_set_symbol_map")
    FIND(chafa, config_work, "chafa_canvas_config_set_work_factor")
    FIND(chafa, canvas_new, "chafa_canvas_new")
    FIND(chafa, canvas_draw, "chafa_canvas_draw_all_pixels")
    FIND(chafa, canvas_char, "chafa_canvas_get_char_at")
    FIND(chafa, canvas_colors, "chafa_canvas_get_raw_colors_at")
    is_loaded = 1;
}

typedef struct {
    const herald_picture_room *room;
    int width, height;
    int is_too_large;
} prepared;

// The longest side of the room in pixels: what is larger is made smaller while it is decoded.
static int room_side(const herald_picture_room *room) {
    int width = room->columns * room->cell_width, height = room->rows * room->cell_height;
    return width > height ? width : height;
}

// Called as soon as the size is known, before any pixel is kept.
static void size_prepared(void *loader, int width, int height, void *data) {
    prepared *found = data;
    found->width = width;
    found->height = height;
    if (width < 1 || height < 1 || (int64_t)width * height > found->room->pixels_max) {
        found->is_too_large = 1;
        lib.loader_set_size(loader, 0, 0);
        return;
    }
    int side = width > height ? width : height, most = room_side(found->room);
    if (side <= most) return;
    int scaled_width = (int)((int64_t)width * most / side), scaled_height = (int)((int64_t)height * most / side);
    lib.loader_set_size(loader, scaled_width < 1 ? 1 : scaled_width, scaled_height < 1 ? 1 : scaled_height);
}

static int decode(const uint8_t *bytes, size_t count, const char *type, const herald_picture_room *room,
                  void **pixbuf, herald_picture_size *size) {
    pthread_once(&once, load);
    if (!is_loaded) return HERALD_PICTURE_NO_LIBRARY;
    void *loader = lib.loader_new(type, NULL);
    if (loader == NULL) return HERALD_PICTURE_NO_FORMAT;
    prepared found = {.room = room};
    lib.connect(loader, "size-prepared", (void (*)(void))size_prepared, &found, NULL, 0);
    for (size_t at = 0; at < count; at += 65536) {
        size_t piece = count - at < 65536 ? count - at : 65536;
        int is_taken = lib.loader_write(loader, bytes + at, piece, NULL);
        if (found.is_too_large) return HERALD_PICTURE_TOO_LARGE;
        if (!is_taken) break;
    }
    // A picture that ends too early is shown as far as it goes.
    lib.loader_close(loader, NULL);
    if (found.is_too_large) return HERALD_PICTURE_TOO_LARGE;
    void *raw = lib.loader_pixbuf(loader);
    if (raw == NULL || found.width < 1) return HERALD_PICTURE_BROKEN;
    *pixbuf = lib.oriented(raw);
    if (*pixbuf == NULL) return HERALD_PICTURE_BROKEN;
    int is_turned = lib.width(*pixbuf) != lib.width(raw) || lib.height(*pixbuf) != lib.height(raw);
    size->width = is_turned ? found.height : found.width;
    size->height = is_turned ? found.width : found.height;
    // As many cells as it has pixels for, but no more than there is room.
    double by_width = (double)room->columns * room->cell_width / size->width;
    double by_height = (double)room->rows * room->cell_height / size->height;
    double scale = by_width < by_height ? by_width : by_height;
    if (scale > 1) scale = 1;
    size->columns = (int)(size->width * scale / room->cell_width + 0.5);
    size->rows = (int)(size->height * scale / room->cell_height + 0.5);
    if (size->columns < 1) size->columns = 1;
    if (size->rows < 1) size->rows = 1;
    if (size->columns > room->columns) size->columns = room->columns;
    if (size->rows > room->rows) size->rows = room->rows;
    return HERALD_PICTURE_DRAWN;
}

// Numbers of chafa 1.x that its headers name.
enum { MODE_256 = 1, MODE_16 = 3, MODE_FGBG = 5, MODE_8 = 6 };
enum { TAG_SPACE = 1 << 0, TAG_BLOCK = 1 << 3, TAG_QUAD = 1 << 7, TAG_HALF = 1 << 8 | 1 << 9, TAG_STIPPLE = 1 << 2 };
enum { PIXEL_RGBA = 4, PIXEL_RGB = 8 };

static int mode_of(int colors) {
    return colors >= 256 ? MODE_256 : colors >= 16 ? MODE_16 : colors >= 8 ? MODE_8 : MODE_FGBG;
}

int herald_picture_draw(const uint8_t *bytes, size_t count, const char *type, const herald_picture_room *room,
                        herald_picture_cell *cells, herald_picture_size *size) {
    void *pixbuf = NULL;
    int answer = decode(bytes, count, type, room, &pixbuf, size);
    if (answer != HERALD_PICTURE_DRAWN) return answer;
    void *map = lib.map_new(), *config = lib.config_new();
    if (map == NULL || config == NULL) return HERALD_PICTURE_BROKEN;
    lib.map_add(map, TAG_SPACE | TAG_BLOCK | TAG_QUAD | TAG_HALF | (room->colors < 8 ? TAG_STIPPLE : 0));
    lib.config_geometry(config, size->columns, size->rows);
    lib.config_mode(config, mode_of(room->colors));
    lib.config_map(config, map);
    lib.config_work(config, 0.5f);
    void *canvas = lib.canvas_new(config);
    if (canvas == NULL) return HERALD_PICTURE_BROKEN;
    lib.canvas_draw(canvas, lib.channels(pixbuf) == 4 ? PIXEL_RGBA : PIXEL_RGB, lib.pixels(pixbuf),
                    lib.width(pixbuf), lib.height(pixbuf), lib.rowstride(pixbuf));
    for (int row = 0; row < size->rows; row++) {
        for (int column = 0; column < size->columns; column++) {
            int foreground = -1, background = -1;
            lib.canvas_colors(canvas, column, row, &foreground, &background);
            herald_picture_cell *cell = &cells[row * size->columns + column];
            cell->symbol = lib.canvas_char(canvas, column, row);
            cell->foreground = foreground < 0 || foreground > 255 ? -1 : (int16_t)foreground;
            cell->background = background < 0 || background > 255 ? -1 : (int16_t)background;
            if (room->colors < 8) cell->foreground = cell->background = -1;
        }
    }
    return HERALD_PICTURE_DRAWN;
}

int herald_picture_scale(const uint8_t *bytes, size_t count, const char *type, const herald_picture_room *room,
                         uint8_t *pixels, herald_picture_size *size) {
    void *pixbuf = NULL;
    int answer = decode(bytes, count, type, room, &pixbuf, size);
    if (answer != HERALD_PICTURE_DRAWN) return answer;
    int width = size->columns * room->cell_width, height = size->rows * room->cell_height;
    void *scaled = lib.scaled(pixbuf, width, height, 2);
    if (scaled == NULL) return HERALD_PICTURE_BROKEN;
    int channels = lib.channels(scaled), stride = lib.rowstride(scaled);
    const uint8_t *source = lib.pixels(scaled);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const uint8_t *from = source + (size_t)y * stride + (size_t)x * channels;
            uint8_t *to = pixels + ((size_t)y * width + x) * 4;
            memcpy(to, from, 3);
            to[3] = channels == 4 ? from[3] : 255;
        }
    }
    return HERALD_PICTURE_DRAWN;
}
