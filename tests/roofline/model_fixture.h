/* SPDX-License-Identifier: MIT */
/*
 * What the tests of the model and the report share: a run that a test makes up, the model
 * of it, and text made from that. cmocka frees all three after each test.
 */
#ifndef RP_TESTS_ROOFLINE_MODEL_FIXTURE_H
#define RP_TESTS_ROOFLINE_MODEL_FIXTURE_H

#include "tests/unit/unit.h"

#include "core/text.h"
#include "roofline/model.h"
#include "tests/roofline/synthetic_run.h"

extern struct rp_run run;
extern struct rp_model model;
extern struct rp_text text;

/* Relative comparison: the quantities span ten orders of magnitude. */
#define assert_near(actual, expected) assert_float_equal((actual) / (expected), 1, 1e-9)

/* Makes `model` of `run`; a failure fails the test. */
void build(void);

/* The one point of the model with these; none fails the test. */
const struct rp_point *point_of(const char *kernel, enum rp_mode mode, size_t bytes);

/* Frees run, model and text; a teardown. */
int end(void **state);

#define TEST(name) cmocka_unit_test_teardown(name, end)

#endif
