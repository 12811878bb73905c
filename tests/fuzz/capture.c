/* SPDX-License-Identifier: MIT */
/*
 * The folder of a captured machine from anywhere. The input begins with the topology, in
 * XML. Its other files follow, each behind a line with its name:
 *
 *     </topology>
 *     @root/proc/loadavg
 *     0.10 0.06 0.01 1/85 1234
 *
 * What is read of it is written and read again as the same.
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/capture.h"
#include "property.h"
#include "telling.h"

#define PATH_BYTES 256

/* The path of a file within the folder; false for a name that may lead out of it. */
static bool path_of(const char *folder, const char *name, size_t length, char *path)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-./";

    if (length == 0 || length > 128 || strspn(name, letters) < length ||
        memmem(name, length, "..", 2) != NULL) {
        return false;
    }
    snprintf(path, PATH_BYTES, "%s/%.*s", folder, (int)length, name);
    return true;
}

/* Names that end in a slash, or go through a file, make none. */
static void write_file(char *path, size_t folder_length, const char *text, size_t length)
{
    for (char *slash = path + folder_length + 1; (slash = strchr(slash, '/')) != NULL;
         slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *const file = fopen(path, "we");
    if (file != NULL) {
        fwrite(text, 1, length, file);
        fclose(file);
    }
}

static void write_files(const char *folder, const char *text)
{
    const char *mark = strstr(text, "\n@");
    const size_t xml_length = mark != NULL ? (size_t)(mark - text) + 1 : strlen(text);
    char path[PATH_BYTES];

    while (mark != NULL) {
        const char *const name = mark + 2;
        const size_t name_length = strcspn(name, "\n");
        const char *const start = name + name_length + (name[name_length] == '\n');

        mark = strstr(name + name_length, "\n@");
        const char *const end = mark != NULL ? mark + 1 : strchr(start, '\0');
        if (path_of(folder, name, name_length, path)) {
            write_file(path, strlen(folder), start, (size_t)(end - start));
        }
    }
    path_of(folder, "topology.xml", strlen("topology.xml"), path);
    write_file(path, strlen(folder), text, xml_length);
}

static int remove_entry(const char *path, const struct stat *status, int type,
                        struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

static void check_machine(const struct rp_machine *machine)
{
    struct rp_error error = {0};
    struct rp_machine again;
    json_t *const json = rp_machine_to_json(machine);

    must(json != NULL, "a machine that was read can be written");
    must_be_figures(json);
    char *const text = json_dumps(json, JSON_COMPACT);
    must(text != NULL && strstr(text, "\\u") == NULL, "a machine is text");
    must(rp_machine_from_json(&again, json, &error), "and read again");
    json_t *const json_again = rp_machine_to_json(&again);
    must(json_equal(json, json_again), "as the same");
    free(text);
    json_decref(json);
    json_decref(json_again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[] = "/tmp/ridgepoint-fuzz-XXXXXX";
    char *const text = text_of(data, size);
    struct rp_machine machine;
    struct rp_error error = {0};

    must(mkdtemp(folder) != NULL, "a folder can be made");
    write_files(folder, text);
    if (rp_capture_read(&machine, folder, NULL, &error)) {
        check_machine(&machine);
    } else {
        must_explain(&error);
    }
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(text);
    return 0;
}
