/* SPDX-License-Identifier: MIT */
#include "plots/layout.h"

#include <math.h>

double rp_box_overlap(const struct rp_box *a, const struct rp_box *b)
{
    const double width = fmin(a->right, b->right) - fmax(a->left, b->left);
    const double height = fmin(a->bottom, b->bottom) - fmax(a->top, b->top);

    return width > 0 && height > 0 ? width * height : 0;
}

double rp_axis_pixel(const struct rp_axis *axis, double value)
{
    const double share = log(value / axis->low) / log(axis->high / axis->low);

    return axis->start + share * (axis->end - axis->start);
}

struct rp_box rp_frame_box(const struct rp_frame *frame)
{
    return (struct rp_box){frame->x.start, frame->y.end, frame->x.end, frame->y.start};
}

double rp_frame_slant(const struct rp_frame *frame)
{
    const double right = rp_axis_pixel(&frame->x, frame->x.low * 2) - frame->x.start;
    const double up = frame->y.start - rp_axis_pixel(&frame->y, frame->y.low * 2);

    return atan2(up, right) * 180 / M_PI;
}

/* Advance widths of the printable ASCII characters, in thousandths of the size (Adobe's
 * Helvetica metrics). */
static const short advances[] = {
    278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
};

double rp_text_width(const char *text, double size)
{
    double width = 0;

    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c >= ' ' && *c <= '~') {
            width += advances[*c - ' '];
        } else if ((*c & 0xc0) != 0x80) { /* the first byte of anything else */
            width += 600;
        }
    }
    return width * size / 1000;
}

/* Indices of `values` in ascending order; equal ones keep theirs. */
static void sort_indices(const double *values, size_t count, size_t *order)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = i;

        for (; at > 0 && values[order[at - 1]] > values[i]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

/* With the gaps taken out, "at least a gap apart" reads "never falling": the
 * least-squares answer is isotonic regression, found by merging neighbours that violate
 * the order. */
void rp_layout_relax(double *positions, size_t count, double gap, double low, double high)
{
    struct {
        double sum;
        size_t count;
    } blocks[RP_MAX_LABELS];
    size_t order[RP_MAX_LABELS];
    size_t block_count = 0;

    if (count == 0) {
        return;
    }
    const double fitting =
        count > 1 ? fmin(gap, (high - low) / (double)(count - 1)) : gap;

    sort_indices(positions, count, order);
    for (size_t i = 0; i < count; i++) {
        blocks[block_count].sum = positions[order[i]] - fitting * (double)i;
        blocks[block_count++].count = 1;
        while (block_count > 1 &&
               blocks[block_count - 2].sum * (double)blocks[block_count - 1].count >
                   blocks[block_count - 1].sum * (double)blocks[block_count - 2].count) {
            blocks[block_count - 2].sum += blocks[block_count - 1].sum;
            blocks[block_count - 2].count += blocks[block_count - 1].count;
            block_count--;
        }
    }
    const double last = high - fitting * (double)(count - 1);

    for (size_t block = 0, i = 0; block < block_count; block++) {
        const double mean = blocks[block].sum / (double)blocks[block].count;

        for (size_t member = 0; member < blocks[block].count; member++, i++) {
            positions[order[i]] = fmin(fmax(mean, low), last) + fitting * (double)i;
        }
    }
}
