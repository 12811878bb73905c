/* SPDX-License-Identifier: MIT */
/*
 * ShiftRows put off, for kernels that move the bytes of a block with PSHUFB.
 *
 * SubBytes and AddRoundKey treat every byte alike, so ShiftRows may wait. A kernel that
 * leaves it out holds, after n rounds, a state that is still to be shifted n times, and
 * takes that into account where bytes meet: MixColumns adds to a byte the ones below it
 * in its column, and in the unshifted state row r + i of that column lies i n columns
 * further on, the same for every row. So each round brings a byte its partners with one
 * shuffle that moves it by rows and columns, from four tables by n modulo 4, and the
 * shuffles of ShiftRows are saved. Round key n is unshifted n times beforehand, and the
 * last state shifted at last (Hamburg, "Accelerating AES with vector permute
 * instructions", 2009; Adomnicai and Peyrin, "Fixslicing AES-like ciphers", 2020).
 *
 * Byte 4 c + r of a block is row r of column c.
 */
#ifndef RP_KERNELS_AES_SHIFT_ROWS_H
#define RP_KERNELS_AES_SHIFT_ROWS_H

#define RP_AES_FROM(row, column)                                                         \
    (4 * ((column)&3) + ((row)&3)) /* and 3: modulo 4, of negative numbers, too */

#define RP_AES_MOVE_COLUMN(c, rows, columns)                                             \
    RP_AES_FROM(0 + (rows), (c) + (columns)), RP_AES_FROM(1 + (rows), (c) + (columns)),  \
        RP_AES_FROM(2 + (rows), (c) + (columns)),                                        \
        RP_AES_FROM(3 + (rows), (c) + (columns))

/* The PSHUFB that brings to each byte the one so many rows below and columns on. */
#define RP_AES_MOVE(rows, columns)                                                       \
    {                                                                                    \
        RP_AES_MOVE_COLUMN(0, rows, columns), RP_AES_MOVE_COLUMN(1, rows, columns),      \
            RP_AES_MOVE_COLUMN(2, rows, columns), RP_AES_MOVE_COLUMN(3, rows, columns),  \
    }

#define RP_AES_SHIFT_COLUMN(c, times)                                                    \
    RP_AES_FROM(0, c), RP_AES_FROM(1, (c) + (times)), RP_AES_FROM(2, (c) + 2 * (times)), \
        RP_AES_FROM(3, (c) + 3 * (times))

/* The PSHUFB of so many ShiftRows; negative numbers undo them. */
#define RP_AES_SHIFT_ROWS(times)                                                         \
    {                                                                                    \
        RP_AES_SHIFT_COLUMN(0, times), RP_AES_SHIFT_COLUMN(1, times),                    \
            RP_AES_SHIFT_COLUMN(2, times), RP_AES_SHIFT_COLUMN(3, times),                \
    }

/* Tables of four: what to move for the partner so many rows below, and ShiftRows to do
 * and to undo, after each number of rounds modulo 4. */
#define RP_AES_MOVES(rows)                                                               \
    {                                                                                    \
        RP_AES_MOVE(rows, 0), RP_AES_MOVE(rows, 1 * (rows)),                             \
            RP_AES_MOVE(rows, 2 * (rows)), RP_AES_MOVE(rows, 3 * (rows)),                \
    }
#define RP_AES_SHIFTS                                                                    \
    {                                                                                    \
        RP_AES_SHIFT_ROWS(0), RP_AES_SHIFT_ROWS(1), RP_AES_SHIFT_ROWS(2),                \
            RP_AES_SHIFT_ROWS(3),                                                        \
    }
#define RP_AES_UNSHIFTS                                                                  \
    {                                                                                    \
        RP_AES_SHIFT_ROWS(0), RP_AES_SHIFT_ROWS(-1), RP_AES_SHIFT_ROWS(-2),              \
            RP_AES_SHIFT_ROWS(-3),                                                       \
    }

#endif
