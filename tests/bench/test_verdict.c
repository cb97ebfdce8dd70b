// test_verdict.c - how a rule of the documents is judged by what breaking it costs
// (bench/verdict.h)
// SPDX-License-Identifier: MIT
#include "check.h"

#include "bench/memory/rules.h"
#include "bench/verdict.h"

#include <math.h>
#include <string.h>

// "It is 16 times slower": half of the loss, 7.5 of 15, is true; less than a tenth of the time is
// none.
static void test_costs(void **state)
{
    (void)state;
    assert_int_equal(verdict_of(16, 16), VERDICT_TRUE);
    assert_int_equal(verdict_of(16, 40), VERDICT_TRUE);
    assert_int_equal(verdict_of(16, 8.5), VERDICT_TRUE);
    assert_int_equal(verdict_of(16, 8.49), VERDICT_WEAKER);
    assert_int_equal(verdict_of(16, 1.1), VERDICT_WEAKER);
    assert_int_equal(verdict_of(16, 1.09), VERDICT_GONE);
    assert_int_equal(verdict_of(16, 0.5), VERDICT_GONE);
    // A claim so small that half of it is within the tenth: gone goes before true.
    assert_int_equal(verdict_of(1.1, 1.06), VERDICT_GONE);
    assert_int_equal(verdict_of(1.1, 1.11), VERDICT_TRUE);
}

// "It costs nothing."
static void test_costs_nothing(void **state)
{
    (void)state;
    assert_int_equal(verdict_of(1, 0.3), VERDICT_TRUE);
    assert_int_equal(verdict_of(1, 1), VERDICT_TRUE);
    assert_int_equal(verdict_of(1, 1.09), VERDICT_TRUE);
    assert_int_equal(verdict_of(1, 1.1), VERDICT_WEAKER);
    assert_int_equal(verdict_of(1, 1.49), VERDICT_WEAKER);
    assert_int_equal(verdict_of(1, 1.5), VERDICT_GONE);
}

// What was not measured, or makes no sense, has no verdict that reads like one.
static void test_unknown(void **state)
{
    (void)state;
    assert_int_equal(verdict_of(2, (double)NAN), VERDICT_UNKNOWN);
    assert_int_equal(verdict_of(2, (double)INFINITY), VERDICT_UNKNOWN);
    assert_int_equal(verdict_of(2, 0), VERDICT_UNKNOWN);
    assert_int_equal(verdict_of(2, -1), VERDICT_UNKNOWN);
    assert_int_equal(verdict_of((double)NAN, 2), VERDICT_UNKNOWN);
    assert_int_equal(verdict_of(0.9, 2), VERDICT_UNKNOWN);
    assert_string_equal(verdict_text(verdict_of(2, (double)NAN)), "-");
    assert_string_equal(verdict_text(verdict_of(2, 2)), "true");
    assert_string_equal(verdict_text(verdict_of(4, 1.5)), "weaker");
    assert_string_equal(verdict_text(verdict_of(4, 1)), "gone");
}

// Each rule has a claim, a name of its own, and two figures that differ.
static void test_rules(void **state)
{
    (void)state;
    int count = 0;
    for (const memory_rule *rule = memory_rules; rule->name; rule++, count++) {
        assert_true(rule->claimed >= 1);
        assert_true(rule->text && *rule->text && rule->why && *rule->why);
        assert_string_not_equal(rule->kept, rule->broken);
        for (const memory_rule *other = memory_rules; other != rule; other++)
            assert_string_not_equal(other->name, rule->name);
    }
    print_message("%d rules\n", count);
    assert_true(count > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_costs_nothing),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
