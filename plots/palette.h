/* SPDX-License-Identifier: MIT */
/*
 * Every colour of every figure, by meaning, for light and dark paper.
 *
 * Cache levels are ordered and so share one hue's ramp; kinds are categories and take
 * Okabe and Ito's colours, which stay apart for colour-blind readers. Text of a kind is
 * in a darker sibling, since a line may be paler than a letter (contrast 3:1 against
 * 5:1). The light values are all different: the dark theme finds an element by its light
 * colour.
 */
#ifndef RP_PLOTS_PALETTE_H
#define RP_PLOTS_PALETTE_H

/* NAME, light, dark */
#define RP_PALETTE(COLOUR)                                                               \
    COLOUR(PAPER, 0xffffff, 0x0d1117)                                                    \
    COLOUR(INK, 0x1a1a1a, 0xe6edf3)                                                      \
    COLOUR(MUTED, 0x5f6368, 0x9aa4ae)                                                    \
    COLOUR(RULE, 0xdadce0, 0x30363d)                                                     \
    COLOUR(HAIR, 0xeceef0, 0x21262d)                                                     \
    COLOUR(TINT, 0xf4f5f6, 0x161b22)                                                     \
    COLOUR(NEAREST, 0x4a90c2, 0x79b8e8)                                                  \
    COLOUR(NEAR, 0x2f7ab3, 0x5aa5dd)                                                     \
    COLOUR(FAR, 0x1b6096, 0x3f92d2)                                                      \
    COLOUR(MEMORY, 0x0b3c6f, 0x9ecbf0)                                                   \
    COLOUR(BLUE, 0x0072b2, 0x5db4ee)                                                     \
    COLOUR(GREEN, 0x009e73, 0x2fc79a)                                                    \
    COLOUR(VERMILLION, 0xd55e00, 0xff8a3d)                                               \
    COLOUR(PURPLE, 0xcc79a7, 0xe39cc3)                                                   \
    COLOUR(BLUE_TEXT, 0x005f94, 0x5db4ee)                                                \
    COLOUR(GREEN_TEXT, 0x00795a, 0x2fc79a)                                               \
    COLOUR(VERMILLION_TEXT, 0xb24e00, 0xff8a3d)                                          \
    COLOUR(PURPLE_TEXT, 0x9a4f7e, 0xe39cc3)

#define RP_PALETTE_NAME(name, light, dark) RP_##name,
enum rp_colour { RP_PALETTE(RP_PALETTE_NAME) RP_COLOUR_COUNT };
#undef RP_PALETTE_NAME

#endif
