#ifndef CFribidi_shim_h
#define CFribidi_shim_h
#include <fribidi/fribidi.h>

/* Changes a line to the order it is drawn in: `text` becomes the characters from left to right, mirrored and with
   Arabic letters in their joined forms, and `places` where each of them was. `types` is room for as many values.
   Answers 0 when the library cannot. */
static inline int fribidi_visual_line(
    FriBidiChar *text, FriBidiCharType *types, FriBidiBracketType *brackets, FriBidiLevel *levels,
    FriBidiArabicProp *joining, FriBidiStrIndex *places, FriBidiStrIndex count, int is_right_to_left)
{
    FriBidiParType direction = is_right_to_left ? FRIBIDI_PAR_RTL : FRIBIDI_PAR_LTR;
    fribidi_get_bidi_types(text, count, types);
    fribidi_get_bracket_types(text, count, types, brackets);
    if (!fribidi_get_par_embedding_levels_ex(types, brackets, count, &direction, levels)) return 0;
    fribidi_get_joining_types(text, count, joining);
    fribidi_join_arabic(types, count, levels, joining);
    fribidi_shape(
        FRIBIDI_FLAG_SHAPE_MIRRORING | FRIBIDI_FLAG_SHAPE_ARAB_PRES, levels, count, joining, text);
    return fribidi_reorder_line(
        FRIBIDI_FLAG_REORDER_NSM, types, count, 0, direction, levels, text, places) != 0;
}

/* 1 when the first character with a direction runs from right to left, 0 when from left to right, -1 for none. */
static inline int fribidi_first_direction(
    const FriBidiChar *text, FriBidiCharType *types, FriBidiStrIndex count)
{
    fribidi_get_bidi_types(text, count, types);
    FriBidiParType direction = fribidi_get_par_direction(types, count);
    return direction == FRIBIDI_PAR_RTL ? 1 : direction == FRIBIDI_PAR_LTR ? 0 : -1;
}
#endif
