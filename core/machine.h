/* SPDX-License-Identifier: MIT */
/*
 * The machine as the process may use it: caches, cores, memory, and the conditions that
 * hurt or colour a measurement. hwloc tells the topology, sysfs and procfs the rest.
 */
#ifndef RP_CORE_MACHINE_H
#define RP_CORE_MACHINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/cpu.h"
#include "core/error.h"
#include "core/system.h"

#define RP_MAX_LEVELS     5
#define RP_MAX_CONDITIONS 32
#define RP_MAX_CORE_KINDS 4

/* A data cache level as seen from the measured core, or memory, which is always last. */
struct rp_level {
    char name[8];        /* "L1", "L2", "L3", "DRAM" */
    size_t size_bytes;   /* capacity of one instance; 0 for DRAM */
    unsigned line_bytes; /* 0 when unknown */
    unsigned ways;       /* 0 when unknown */
    unsigned shared_by;  /* cores sharing one instance, of those this process may use */
};

/* Cores that are alike: all of them, but for hybrid machines. */
struct rp_core_kind {
    char name[16]; /* "performance", "efficiency"; "" when there is one kind only */
    unsigned core_count;
    unsigned measured_pu; /* operating-system index the measuring thread is bound to */
    struct rp_level levels[RP_MAX_LEVELS]; /* as seen from its measured core */
    unsigned level_count;
};

enum rp_severity {
    RP_SEVERITY_NOTE, /* colours the numbers */
    RP_SEVERITY_WARN, /* may make them wrong */
};

struct rp_condition {
    enum rp_severity severity;
    char text[160];       /* what is so */
    char what_to_do[160]; /* and what to do about it */
};

struct rp_machine {
    char name[64];      /* a slug for paths, from the CPU's brand; never the host name */
    char processor[64]; /* for titles: the brand without decoration */
    char kernel[64];    /* operating system release */
    struct rp_cpu cpu;
    struct rp_core_kind kinds[RP_MAX_CORE_KINDS]; /* fastest first */
    unsigned kind_count;
    unsigned kind;                         /* the one looked at: whose levels and */
    struct rp_level levels[RP_MAX_LEVELS]; /* measured core these are; nearest first, */
    unsigned level_count;                  /* DRAM last. A model puts measured */
    unsigned measured_pu; /* capacities here; the kinds keep the stated */
    unsigned core_count;  /* usable by this process, of all kinds */
    unsigned pu_count;    /* usable hardware threads */
    unsigned numa_count;
    size_t memory_bytes; /* available now, cgroup limits applied */
    double tsc_hz;       /* 0 when not measured */
    struct rp_condition conditions[RP_MAX_CONDITIONS];
    unsigned condition_count;
};

/* An hwloc topology; opaque so that hwloc stays inside core/. */
struct rp_topology;

/* Loads the topology of this machine, restricted to what the process may use. hwloc's own
 * environment variables (HWLOC_SYNTHETIC, HWLOC_XMLFILE) replace it. Free with
 * rp_topology_free. NULL and `error` when hwloc fails. */
struct rp_topology *rp_topology_load(struct rp_error *error);
/* The same from a file of hwloc XML, which is taken whole. */
struct rp_topology *rp_topology_load_xml(const char *path, struct rp_error *error);
void rp_topology_free(struct rp_topology *topology);

/* Writes the topology as hwloc XML, without host name and serial numbers. */
bool rp_topology_save(const struct rp_topology *topology, const char *path,
                      struct rp_error *error);

/* Describes the machine: fills all of `machine`. `cpu` comes from rp_cpu_detect. */
bool rp_machine_describe(struct rp_machine *machine, const struct rp_topology *topology,
                         const struct rp_cpu *cpu, const struct rp_system *system,
                         struct rp_error *error);

/* Where a machine is read from: this one, or one that was captured (core/capture.h). */
struct rp_machine_source {
    const struct rp_cpu_reader *cpu;
    const struct rp_system *system;
    const char *topology_xml; /* NULL: as rp_topology_load finds it */
};

/* The machine that the program runs on. */
extern const struct rp_machine_source rp_machine_here;

/* Reads a machine and its topology, which is freed by the caller: NULL after a failure.
 * `level` is for rp_cpu_detect. */
bool rp_machine_read(struct rp_machine *machine, struct rp_topology **topology,
                     const struct rp_machine_source *source, const char *level,
                     struct rp_error *error);

/* Looks at the machine from a core of kind `kind`, which is below kind_count. */
void rp_machine_look_from(struct rp_machine *machine, unsigned kind);

/* Appends a condition; one past the table's end is dropped. */
void rp_machine_condition(struct rp_machine *machine, enum rp_severity severity,
                          const char *text, const char *what_to_do);

/* The level that a working set fits into: the first one with room, else DRAM. Index. */
unsigned rp_machine_level_of(const struct rp_machine *machine, size_t working_set_bytes);

/* What one measurement may take of the available memory; the rest is for everybody else.
 */
size_t rp_machine_spendable_bytes(const struct rp_machine *machine);

/*
 * The working sets that show what a level does: from four times the nearer cache, which
 * then holds little of them, to three quarters of its own capacity, with room to spare
 * for what else is there. For memory `most` is SIZE_MAX. Empty (`least` > `most`) between
 * two levels of nearly the same size.
 */
void rp_machine_level_range(const struct rp_machine *machine, unsigned level,
                            size_t *least_bytes, size_t *most_bytes);

/* The machine as stored in a run file, and back. The JSON value is new; NULL out of
 * memory. */
json_t *rp_machine_to_json(const struct rp_machine *machine);
bool rp_machine_from_json(struct rp_machine *machine, const json_t *json,
                          struct rp_error *error);

#endif
