/* SPDX-License-Identifier: MIT */
#include "core/machine.h"

#include <stdio.h>
#include <string.h>

#include "core/fields.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define MACHINE(member, kind, required)                                                  \
    RP_FIELD(struct rp_machine, member, kind, required)
static const struct rp_field machine_fields[] = {
    MACHINE(name, RP_FIELD_TEXT, true),
    MACHINE(processor, RP_FIELD_TEXT, true),
    MACHINE(kernel, RP_FIELD_TEXT, false),
    MACHINE(core_count, RP_FIELD_COUNT, true),
    MACHINE(pu_count, RP_FIELD_COUNT, true),
    MACHINE(numa_count, RP_FIELD_COUNT, true),
    MACHINE(measured_pu, RP_FIELD_COUNT, true),
    MACHINE(memory_bytes, RP_FIELD_NUMBER, true),
    MACHINE(tsc_hz, RP_FIELD_REAL, false),
};

#define CPU(member, kind) RP_FIELD(struct rp_cpu, member, kind, false)
static const struct rp_field cpu_fields[] = {
    CPU(vendor, RP_FIELD_TEXT),    CPU(brand, RP_FIELD_TEXT),
    CPU(family, RP_FIELD_COUNT),   CPU(model, RP_FIELD_COUNT),
    CPU(stepping, RP_FIELD_COUNT), CPU(hypervisor, RP_FIELD_FLAG),
};

#define LEVEL(member, kind, required) RP_FIELD(struct rp_level, member, kind, required)
static const struct rp_field level_fields[] = {
    LEVEL(name, RP_FIELD_TEXT, true),         LEVEL(size_bytes, RP_FIELD_NUMBER, false),
    LEVEL(line_bytes, RP_FIELD_COUNT, false), LEVEL(ways, RP_FIELD_COUNT, false),
    LEVEL(shared_by, RP_FIELD_COUNT, false),
};

#define KIND(member, kind) RP_FIELD(struct rp_core_kind, member, kind, true)
static const struct rp_field kind_fields[] = {
    KIND(name, RP_FIELD_TEXT),
    KIND(core_count, RP_FIELD_COUNT),
    KIND(measured_pu, RP_FIELD_COUNT),
};

#define CONDITION(member) RP_FIELD(struct rp_condition, member, RP_FIELD_TEXT, true)
static const struct rp_field condition_fields[] = {CONDITION(text),
                                                   CONDITION(what_to_do)};

static const char *const severity_names[] = {
    [RP_SEVERITY_NOTE] = "note",
    [RP_SEVERITY_WARN] = "warn",
};

/* A new object from a struct; NULL when out of memory. */
static json_t *new_object(const struct rp_field *fields, size_t count, const void *base)
{
    json_t *const object = json_object();

    if (object != NULL && !rp_fields_write(object, fields, count, base)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static bool set_feature_names(json_t *json, const char *key, uint32_t features)
{
    char names[128];

    rp_cpu_feature_names(features, names, sizeof names);
    return json_object_set_new(json, key, json_string(names)) == 0;
}

static json_t *cpu_to_json(const struct rp_cpu *cpu)
{
    json_t *const json = new_object(cpu_fields, COUNT_OF(cpu_fields), cpu);

    if (json == NULL ||
        json_object_set_new(json, "level", json_string(cpu->level)) != 0 ||
        !set_feature_names(json, "present", cpu->present) ||
        !set_feature_names(json, "features", cpu->features)) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static json_t *levels_to_json(const struct rp_level *levels, unsigned count)
{
    json_t *const array = json_array();
    bool done = array != NULL;

    for (unsigned i = 0; done && i < count; i++) {
        done =
            json_array_append_new(
                array, new_object(level_fields, COUNT_OF(level_fields), &levels[i])) == 0;
    }
    if (!done) {
        json_decref(array);
        return NULL;
    }
    return array;
}

static json_t *kinds_to_json(const struct rp_machine *machine)
{
    json_t *const array = json_array();
    bool done = array != NULL;

    for (unsigned i = 0; done && i < machine->kind_count; i++) {
        const struct rp_core_kind *const kind = &machine->kinds[i];
        json_t *const row = new_object(kind_fields, COUNT_OF(kind_fields), kind);

        done = row != NULL &&
               json_object_set_new(
                   row, "levels", levels_to_json(kind->levels, kind->level_count)) == 0 &&
               json_array_append(array, row) == 0;
        json_decref(row);
    }
    if (!done) {
        json_decref(array);
        return NULL;
    }
    return array;
}

static json_t *conditions_to_json(const struct rp_machine *machine)
{
    json_t *const array = json_array();
    bool done = array != NULL;

    for (unsigned i = 0; done && i < machine->condition_count; i++) {
        const struct rp_condition *const condition = &machine->conditions[i];
        json_t *const row =
            new_object(condition_fields, COUNT_OF(condition_fields), condition);

        done =
            row != NULL &&
            json_object_set_new(row, "severity",
                                json_string(severity_names[condition->severity])) == 0 &&
            json_array_append(array, row) == 0;
        json_decref(row);
    }
    if (!done) {
        json_decref(array);
        return NULL;
    }
    return array;
}

json_t *rp_machine_to_json(const struct rp_machine *machine)
{
    json_t *const json = new_object(machine_fields, COUNT_OF(machine_fields), machine);

    if (json == NULL ||
        json_object_set_new(json, "cpu", cpu_to_json(&machine->cpu)) != 0 ||
        json_object_set_new(json, "levels",
                            levels_to_json(machine->levels, machine->level_count)) != 0 ||
        (machine->kind_count > 1 &&
         json_object_set_new(json, "core_kinds", kinds_to_json(machine)) != 0) ||
        json_object_set_new(json, "conditions", conditions_to_json(machine)) != 0) {
        json_decref(json);
        return NULL;
    }
    return json;
}

/* The bits whose names stand in a list; names this program does not know are ignored. */
static bool read_feature_names(const json_t *json, const char *key, uint32_t *features,
                               struct rp_error *error)
{
    const char *const list = json_string_value(json_object_get(json, key));
    char padded[256];
    char name[32];
    char padded_name[40];

    if (list == NULL || strlen(list) + 3 > sizeof padded) {
        return rp_fail(error, RP_USAGE, "\"cpu.%s\" must be a list of CPU features", key);
    }
    snprintf(padded, sizeof padded, " %s ", list);
    *features = 0;
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        rp_cpu_feature_names(bit, name, sizeof name);
        snprintf(padded_name, sizeof padded_name, " %s ", name);
        if (*name != '\0' && strstr(padded, padded_name) != NULL) {
            *features |= bit;
        }
    }
    return true;
}

static bool read_cpu(struct rp_cpu *cpu, const json_t *json, struct rp_error *error)
{
    const char *const level = json_string_value(json_object_get(json, "level"));

    for (unsigned i = 0; level != NULL && rp_cpu_level_name(i) != NULL; i++) {
        if (strcmp(level, rp_cpu_level_name(i)) == 0) {
            cpu->level = rp_cpu_level_name(i);
        }
    }
    if (cpu->level == NULL) {
        return rp_fail(error, RP_USAGE,
                       "\"cpu.level\" must be a CPU level such as \"avx2\"");
    }
    return rp_fields_read(json, "cpu.", cpu_fields, COUNT_OF(cpu_fields), cpu, error) &&
           read_feature_names(json, "present", &cpu->present, error) &&
           read_feature_names(json, "features", &cpu->features, error);
}

static bool read_levels(struct rp_level *levels, unsigned *level_count,
                        const json_t *json, struct rp_error *error)
{
    const size_t count = json_array_size(json);

    if (count < 1 || count > RP_MAX_LEVELS) {
        return rp_fail(error, RP_USAGE, "\"levels\" must be a list of 1 to %d levels",
                       RP_MAX_LEVELS);
    }
    for (size_t i = 0; i < count; i++) {
        struct rp_level *const level = &levels[i];

        if (!rp_fields_read(json_array_get(json, i), "levels.", level_fields,
                            COUNT_OF(level_fields), level, error)) {
            return false;
        }
        if ((level->size_bytes == 0) != (i + 1 == count)) {
            return rp_fail(error, RP_USAGE,
                           "\"levels.size_bytes\" must be given for caches, and not for "
                           "memory, which is last");
        }
    }
    *level_count = (unsigned)count;
    return true;
}

/* A run of a machine with one kind of core does not list it. */
static bool read_kinds(struct rp_machine *machine, const json_t *json,
                       struct rp_error *error)
{
    const size_t count = json_array_size(json);

    if (json == NULL) {
        struct rp_core_kind *const only = &machine->kinds[0];

        machine->kind_count = 1;
        only->core_count = machine->core_count;
        only->measured_pu = machine->measured_pu;
        only->level_count = machine->level_count;
        memcpy(only->levels, machine->levels, sizeof only->levels);
        return true;
    }
    if (count < 1 || count > RP_MAX_CORE_KINDS) {
        return rp_fail(error, RP_USAGE, "\"core_kinds\" must be a list of 1 to %d kinds",
                       RP_MAX_CORE_KINDS);
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *const row = json_array_get(json, i);
        struct rp_core_kind *const kind = &machine->kinds[i];

        if (!rp_fields_read(row, "core_kinds.", kind_fields, COUNT_OF(kind_fields), kind,
                            error) ||
            !read_levels(kind->levels, &kind->level_count, json_object_get(row, "levels"),
                         error)) {
            return false;
        }
    }
    machine->kind_count = (unsigned)count;
    rp_machine_look_from(machine, 0);
    return true;
}

static bool read_severity(const json_t *json, enum rp_severity *severity,
                          struct rp_error *error)
{
    const char *const name = json_string_value(json_object_get(json, "severity"));

    for (size_t i = 0; name != NULL && i < COUNT_OF(severity_names); i++) {
        if (strcmp(name, severity_names[i]) == 0) {
            *severity = (enum rp_severity)i;
            return true;
        }
    }
    return rp_fail(error, RP_USAGE,
                   "\"conditions.severity\" must be \"note\" or \"warn\"");
}

static bool read_conditions(struct rp_machine *machine, const json_t *json,
                            struct rp_error *error)
{
    const size_t count = json_array_size(json);

    if (!json_is_array(json) || count > RP_MAX_CONDITIONS) {
        return rp_fail(error, RP_USAGE, "\"conditions\" must be a list of at most %d",
                       RP_MAX_CONDITIONS);
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *const row = json_array_get(json, i);
        struct rp_condition *const condition = &machine->conditions[i];

        if (!rp_fields_read(row, "conditions.", condition_fields,
                            COUNT_OF(condition_fields), condition, error) ||
            !read_severity(row, &condition->severity, error)) {
            return false;
        }
    }
    machine->condition_count = (unsigned)count;
    return true;
}

bool rp_machine_from_json(struct rp_machine *machine, const json_t *json,
                          struct rp_error *error)
{
    *machine = (struct rp_machine){0};
    if (!json_is_object(json)) {
        return rp_fail(error, RP_USAGE, "\"machine\" must be an object");
    }
    return rp_fields_read(json, "machine.", machine_fields, COUNT_OF(machine_fields),
                          machine, error) &&
           read_cpu(&machine->cpu, json_object_get(json, "cpu"), error) &&
           read_levels(machine->levels, &machine->level_count,
                       json_object_get(json, "levels"), error) &&
           read_kinds(machine, json_object_get(json, "core_kinds"), error) &&
           read_conditions(machine, json_object_get(json, "conditions"), error);
}
