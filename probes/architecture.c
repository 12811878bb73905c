/* SPDX-License-Identifier: MIT */
#include "probes/architecture.h"

#include <stddef.h>
#include <string.h>

#define INTEL "GenuineIntel"
#define AMD   "AuthenticAMD"

enum { ANY_STEPPING = 15 }; /* the field of CPUID has four bits */

/* As likwid 5.5 tells them apart (src/includes/topology.h and src/topology.c there); the
 * first row that fits. */
static const struct {
    const char *vendor;
    unsigned family;
    unsigned model;
    unsigned last_stepping;
    const char *name;
} architectures[] = {
    {AMD, 0x17, 0x31, ANY_STEPPING, "zen2"},  /* Rome */
    {AMD, 0x17, 0x60, ANY_STEPPING, "zen2"},  /* Renoir */
    {AMD, 0x17, 0x71, ANY_STEPPING, "zen2"},  /* Matisse */
    {AMD, 0x19, 0x01, ANY_STEPPING, "zen3"},  /* Milan */
    {AMD, 0x19, 0x21, ANY_STEPPING, "zen3"},  /* Vermeer */
    {AMD, 0x19, 0x30, ANY_STEPPING, "zen3"},  /* Trento */
    {AMD, 0x19, 0x50, ANY_STEPPING, "zen3"},  /* Cezanne */
    {AMD, 0x19, 0x08, ANY_STEPPING, "zen4"},  /* Storm Peak */
    {AMD, 0x19, 0x11, ANY_STEPPING, "zen4"},  /* Genoa */
    {AMD, 0x19, 0x61, ANY_STEPPING, "zen4"},  /* Raphael */
    {AMD, 0x19, 0x74, ANY_STEPPING, "zen4"},  /* Phoenix */
    {AMD, 0x19, 0x75, ANY_STEPPING, "zen4"},  /* Phoenix */
    {AMD, 0x19, 0xa0, ANY_STEPPING, "zen4c"}, /* Bergamo */
    {AMD, 0x1a, 0x02, ANY_STEPPING, "zen5"},  /* Turin */
    {AMD, 0x1a, 0x11, ANY_STEPPING, "zen5"},  /* Turin, dense */
    {INTEL, 6, 0x55, 4, "skylakeX"},          /* Skylake */
    {INTEL, 6, 0x55, ANY_STEPPING, "CLX"},    /* Cascade Lake, Cooper Lake */
    {INTEL, 6, 0x6a, ANY_STEPPING, "ICX"},    /* Ice Lake */
    {INTEL, 6, 0x6c, ANY_STEPPING, "ICX"},    /* Ice Lake D */
    {INTEL, 6, 0x8f, ANY_STEPPING, "SPR"},    /* Sapphire Rapids */
};

const char *rp_likwid_architecture(const struct rp_cpu *cpu)
{
    for (size_t i = 0; i < sizeof architectures / sizeof *architectures; i++) {
        if (strcmp(cpu->vendor, architectures[i].vendor) == 0 &&
            cpu->family == architectures[i].family &&
            cpu->model == architectures[i].model &&
            cpu->stepping <= architectures[i].last_stepping) {
            return architectures[i].name;
        }
    }
    return NULL;
}
