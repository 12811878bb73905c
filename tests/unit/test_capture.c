/* SPDX-License-Identifier: MIT */
/* This machine, captured and read again. */
#include "unit.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/capture.h"
#include "core/capture_groups.h"
#include "core/conditions_parts.h"
#include "core/text.h"
#include "scratch.h"

static void capture(const char *folder)
{
    struct rp_error error;

    if (!rp_capture_write(folder, "0.0.0", 2.5e9, NULL, &error)) {
        fail_msg("%s", error.message);
    }
}

static void expect_refusal(const char *folder, const char *message)
{
    struct rp_machine machine;
    struct rp_error error = {0};

    assert_false(rp_capture_read(&machine, folder, NULL, &error));
    assert_int_equal(error.status, RP_USAGE);
    assert_contains(error.message, message);
}

static void a_replay_is_what_was_captured(void **state)
{
    char folder[512];
    struct rp_machine machine;
    struct rp_error error;
    json_error_t reason;

    snprintf(folder, sizeof folder, "%s/new", (const char *)*state);
    capture(folder);
    assert_true(rp_capture_read(&machine, folder, NULL, &error));
    assert_true(machine.tsc_hz == 2.5e9);
    json_t *const written =
        json_load_file(scratch_path(folder, "machine.json"), 0, &reason);
    json_t *const read = rp_machine_to_json(&machine);
    assert_true(json_equal(written, read));
    json_decref(written);
    json_decref(read);

    /* And what this machine is, in all that does not change from moment to moment. */
    struct rp_topology *topology = NULL;
    struct rp_machine here;
    assert_true(rp_machine_read(&here, &topology, &rp_machine_here, NULL, &error));
    rp_topology_free(topology);
    assert_string_equal(machine.name, here.name);
    assert_string_equal(machine.kernel, here.kernel);
    assert_int_equal(machine.cpu.features, here.cpu.features);
    assert_int_equal(machine.pu_count, here.pu_count);
    assert_int_equal(machine.measured_pu, here.measured_pu);
    assert_int_equal(machine.level_count, here.level_count);
    for (unsigned i = 0; i < here.level_count; i++) {
        assert_string_equal(machine.levels[i].name, here.levels[i].name);
        assert_int_equal(machine.levels[i].size_bytes, here.levels[i].size_bytes);
        assert_int_equal(machine.levels[i].shared_by, here.levels[i].shared_by);
    }
}

/* A level caps a replay as it does the machine itself. */
static void a_level_caps_it(void **state)
{
    struct rp_machine machine;
    struct rp_error error;

    capture(*state); /* the folder exists and is empty */
    assert_true(rp_capture_read(&machine, *state, "sse2", &error));
    assert_int_equal(machine.cpu.features, RP_CPU_SSE2);
}

/* What must not be found, for the walk over the files. */
static char secrets[64][256];
static unsigned secret_count;

static void keep_secret(const char *text)
{
    /* What is short may be part of anything. */
    if (strlen(text) >= 8 && secret_count < COUNT_OF(secrets)) {
        snprintf(secrets[secret_count++], sizeof secrets[0], "%s", text);
    }
}

static int look_into(const char *path, const struct stat *status, int type,
                     struct FTW *walk)
{
    (void)status;
    (void)walk;
    for (unsigned i = 0; i < secret_count; i++) {
        assert_null(strstr(path, secrets[i]));
    }
    if (type == FTW_F) {
        FILE *const file = fopen(path, "r");
        char *text = NULL;
        size_t capacity = 0;

        assert_non_null(file);
        if (getdelim(&text, &capacity, '\0', file) > 0) {
            for (unsigned i = 0; i < secret_count; i++) {
                assert_null(strstr(text, secrets[i]));
            }
        }
        free(text);
        fclose(file);
    }
    return 0;
}

/* Neither the host's name nor those of its control groups are in a file or its path. */
static void it_does_not_say_whose_it_is(void **state)
{
    static const char *const usual[] = {"user.slice", "system.slice", "init.scope"};
    char line[1024];
    char host[256] = "";
    FILE *const groups = fopen("/proc/self/cgroup", "r");

    gethostname(host, sizeof host - 1);
    keep_secret(host);
    while (groups != NULL && fgets(line, sizeof line, groups) != NULL) {
        char *path = strrchr(line, ':');

        line[strcspn(line, "\n")] = '\0';
        for (char *name = strtok(path + 1, "/"); name != NULL; name = strtok(NULL, "/")) {
            const char *const word = rp_container_word(name);

            if (word == NULL || strcmp(word, name) != 0) {
                keep_secret(name);
            }
        }
    }
    if (groups != NULL) {
        fclose(groups);
    }
    for (size_t i = 0; i < COUNT_OF(usual); i++) {
        keep_secret(usual[i]);
    }
    capture(*state);
    assert_int_equal(nftw(*state, look_into, 16, FTW_PHYS), 0);
}

static void groups_are_renamed_and_found_again(void **state)
{
    static const struct {
        const char *line;
        const char *renamed; /* NULL: no line of that file */
    } rows[] = {
        {"4:memory:/tenant/secret\n", "4:memory:/group0/group1\n"},
        {"0::/\n", "0::/\n"},
        {"1:cpu,cpuacct:/docker/secret\n", "1:cpu,cpuacct:/docker.group2/group1\n"},
        {"0::/kubepods.slice/cri-containerd-12.scope\n",
         "0::/kubepods.group3/containerd.group4\n"},
        {"0::/sec\n", "0::/group5\n"},
        {"0::/../group0\n", "0::/group6/group7\n"},
        {"nonsense\n", NULL},
        {":\n", NULL},
        {"", NULL},
    };
    static const struct {
        const char *path;
        const char *original;
    } paths[] = {
        {"/proc/stat", "/proc/stat"},
        {"/sys/fs/cgroup/memory/group0/group1/memory.max",
         "/sys/fs/cgroup/memory/tenant/secret/memory.max"},
        {"/sys/fs/cgroup/cpu/docker.group2/cpu.max", "/sys/fs/cgroup/cpu/docker/cpu.max"},
        {"/sys/fs/cgroup/group7/group99/groupx", "/sys/fs/cgroup/group0/group99/groupx"},
        {"/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/cpu.max"},
    };
    struct rp_capture_groups groups = {0};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct rp_text renamed = {0};
        const bool is_line = rp_capture_rename_groups(&groups, rows[i].line, &renamed);

        assert_int_equal(is_line, rows[i].renamed != NULL);
        if (is_line) {
            assert_string_equal(renamed.data, rows[i].renamed);
        }
        rp_text_free(&renamed);
    }
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        char original[RP_CAPTURE_PATH];

        rp_capture_original_path(&groups, paths[i].path, original);
        assert_string_equal(original, paths[i].original);
    }
}

static void a_folder_in_use_is_left_alone(void **state)
{
    struct rp_error error;
    char path[512];

    scratch_write(*state, "kept", "here\n");
    assert_false(rp_capture_write(*state, "0.0.0", 0, NULL, &error));
    assert_int_equal(error.status, RP_USAGE);
    assert_contains(error.message, "is no empty folder; name a new one");

    snprintf(path, sizeof path, "%s/kept", (const char *)*state);
    assert_false(rp_capture_write(path, "0.0.0", 0, NULL, &error));
    assert_int_equal(error.status, RP_USAGE);

    snprintf(path, sizeof path, "%s/no/such", (const char *)*state);
    assert_false(rp_capture_write(path, "0.0.0", 0, NULL, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "whose parent exists");
}

static void what_is_no_capture_is_refused(void **state)
{
    static const struct {
        const char *file;
        const char *text;
        const char *message;
    } rows[] = {
        {"cpuid.txt", "cpuid 0 0\n", "cpuid.txt:1: this is no line of CPUID"},
        {"topology.xml", "<topology", "topology.xml: this is no topology"},
        {"manifest.json", "{", "manifest.json: "},
        {"manifest.json", "[]", "this is no manifest of a captured machine"},
        {"manifest.json", "{\"type\":\"ridgepoint-machine\"}", "this is no manifest"},
        {"manifest.json", "{\"type\":\"ridgepoint-machine\",\"format\":2}",
         "format 2 is newer than this program"},
        {"manifest.json", "{\"type\":\"ridgepoint-machine\",\"format\":1,\"tsc_hz\":-1}",
         "\"tsc_hz\" must be 0 or a number from 1e-18 to 1e18"},
        {"manifest.json",
         "{\"type\":\"ridgepoint-machine\",\"format\":1,\"tsc_hz\":1e300}",
         "\"tsc_hz\" must be"},
    };
    char folder[512];

    expect_refusal(*state, "manifest.json: ");
    snprintf(folder, sizeof folder, "%s/new", (const char *)*state);
    capture(folder);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char path[600];

        snprintf(path, sizeof path, "%s/%s.kept", folder, rows[i].file);
        assert_int_equal(rename(scratch_path(folder, rows[i].file), path), 0);
        scratch_write(folder, rows[i].file, rows[i].text);
        expect_refusal(folder, rows[i].message);
        assert_int_equal(rename(path, scratch_path(folder, rows[i].file)), 0);
    }
    assert_int_equal(unlink(scratch_path(folder, "cpuid.txt")), 0);
    expect_refusal(folder, "cpuid.txt: No such file");
}

#define IN_A_FOLDER(test)                                                                \
    cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(a_replay_is_what_was_captured),
        IN_A_FOLDER(a_level_caps_it),
        IN_A_FOLDER(it_does_not_say_whose_it_is),
        cmocka_unit_test(groups_are_renamed_and_found_again),
        IN_A_FOLDER(a_folder_in_use_is_left_alone),
        IN_A_FOLDER(what_is_no_capture_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
