/* SPDX-License-Identifier: MIT */
/*
 * Stands in for likwid's access daemon, so that likwid sets up and reads counters on a
 * machine that has none. Every register of every CPU exists. One that was last set to
 * something other than zero keeps it, as a control register does; any other is STEP
 * larger each time it is read, as a counter is. What is counted is therefore made up, but
 * the same in each run.
 *
 * likwid starts the program likwid-accessD of its PATH, without arguments and
 * environment, and talks to it over the socket /tmp/likwid-<process id>: fixed records in
 * the machine's own layout, each answered by the same record. (likwid 5.2 to 5.5; there
 * is no other description than likwid itself.)
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define STEP             1000
#define LARGEST_REGISTER 16384 /* likwid uses some 4000 in one run */
#define SECONDS_TO_LIVE  60    /* when likwid never calls, or dies without a word */
#define TSX_FORCE_ABORT                                                                  \
    0x10F /* likwid takes Skylake's fourth counter only if bit 0 is set */

enum request_type { READ, WRITE, CHECK, EXIT };

struct request {
    uint32_t cpu;
    uint32_t address;
    uint64_t value;
    int32_t device; /* 0: a model-specific register, else one of likwid's uncore boxes */
    int32_t type;   /* enum request_type */
    int32_t error;  /* 0: done */
    int32_t unused;
};

struct a_register {
    uint32_t cpu;
    uint32_t address;
    int32_t device;
    uint64_t value;
    bool holds;
};

struct registers {
    struct a_register row[LARGEST_REGISTER];
    size_t count;
};

/* The register of a request, made on first use; NULL when there is no room for another.
 */
static struct a_register *find(struct registers *registers, const struct request *request)
{
    for (size_t i = 0; i < registers->count; i++) {
        struct a_register *const found = &registers->row[i];

        if (found->address == request->address && found->cpu == request->cpu &&
            found->device == request->device) {
            return found;
        }
    }
    if (registers->count == LARGEST_REGISTER) {
        return NULL;
    }
    struct a_register *const created = &registers->row[registers->count++];
    *created = (struct a_register){
        .cpu = request->cpu,
        .address = request->address,
        .device = request->device,
        .value = -(uint64_t)STEP, /* read as 0 first: likwid then takes it for unused */
    };
    return created;
}

static void answer(struct registers *registers, struct request *request)
{
    struct a_register *const found = find(registers, request);

    request->error = found == NULL;
    if (found == NULL) {
        return;
    }
    if (request->type == WRITE) {
        found->value = request->value;
        found->holds = request->value != 0;
    } else if (request->type == READ) {
        found->value += found->holds ? 0 : STEP;
        request->value = found->value;
    }
}

/* Waits for likwid on the socket it looks for; its connection, or -1. */
static int meet_likwid(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/likwid-%d", (int)getpid());
    unlink(address.sun_path);
    umask(0077);
    if (listener < 0 ||
        bind(listener, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, 1) != 0) {
        return -1;
    }
    const int connection = accept(listener, NULL, NULL);
    unlink(address.sun_path);
    close(listener);
    return connection;
}

/* False at the end of the connection. */
static bool receive(int connection, struct request *request)
{
    return recv(connection, request, sizeof *request, MSG_WAITALL) ==
           (ssize_t)sizeof *request;
}

int main(void)
{
    struct registers *const registers = calloc(1, sizeof *registers);
    struct request request;

    alarm(SECONDS_TO_LIVE);
    const int connection = meet_likwid();
    if (registers == NULL || connection < 0) {
        free(registers);
        return EXIT_FAILURE;
    }
    registers->row[registers->count++] =
        (struct a_register){.address = TSX_FORCE_ABORT, .value = 1, .holds = true};
    while (receive(connection, &request) && request.type != EXIT) {
        answer(registers, &request);
        if (send(connection, &request, sizeof request, MSG_NOSIGNAL) !=
            (ssize_t)sizeof request) {
            break;
        }
    }
    close(connection);
    free(registers);
    return EXIT_SUCCESS;
}
