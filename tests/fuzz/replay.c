/* SPDX-License-Identifier: MIT */
/*
 * Runs a target over every file of the folders on the command line, for compilers without
 * libFuzzer. Each file has a process of its own, so that whatever becomes of it, its name
 * can be told and the others still run. Ends with 1 when one failed or a folder is empty.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "property.h"

static void run_file(const char *path)
{
    FILE *const file = fopen(path, "re");
    struct stat status = {0};

    must(file != NULL && fstat(fileno(file), &status) == 0, "the file is there");
    const size_t size = (size_t)status.st_size;
    uint8_t *const data =
        malloc(size > 0 ? size : 1); /* no more: reading on is found out */
    must(fread(data, 1, size, file) == size, "the file can be read");
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
}

/* True when the target ended well; says so when not. The child closes `directory`, too,
 * which is none of what it is to be found out about: a leak. */
static bool passes(const char *path, DIR *directory)
{
    int status = 0;
    const pid_t child = fork();

    if (child == 0) {
        closedir(directory);
        run_file(path);
        exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "failed: %s\n", path);
        return false;
    }
    return true;
}

static bool replay(const char *folder)
{
    DIR *const directory = opendir(folder);
    const struct dirent *entry = NULL;
    size_t count = 0;
    bool all = true;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        char path[4096];

        if (entry->d_type == DT_DIR) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        all = passes(path, directory) && all;
        count++;
    }
    if (directory != NULL) {
        closedir(directory);
    }
    if (count == 0) {
        fprintf(stderr, "no files in %s\n", folder);
    }
    return all && count > 0;
}

int main(int argument_count, char **arguments)
{
    bool all = argument_count > 1;

    for (int i = 1; i < argument_count; i++) {
        all = replay(arguments[i]) && all;
    }
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
