/* SPDX-License-Identifier: MIT */
/*
 * What writing and reading a capture share: its names and its CPUID lines.
 */
#ifndef RP_CORE_CAPTURE_PARTS_H
#define RP_CORE_CAPTURE_PARTS_H

#define RP_CAPTURE_FORMAT 1
#define RP_CAPTURE_PATH   1024

#define RP_CAPTURE_MANIFEST "manifest.json"
#define RP_CAPTURE_TOPOLOGY "topology.xml"
#define RP_CAPTURE_CPUID    "cpuid.txt"
#define RP_CAPTURE_ROOT     "root"
#define RP_CAPTURE_LATER    "later"
#define RP_CAPTURE_MACHINE  "machine.json"

/* The lines of cpuid.txt. Leaf and subleaf, then eax, ebx, ecx and edx; and the index of
 * an extended control register, then its value. */
#define RP_CAPTURE_LEAF_WORD   "cpuid"
#define RP_CAPTURE_LEAF        RP_CAPTURE_LEAF_WORD " %08x %08x : %08x %08x %08x %08x"
#define RP_CAPTURE_XGETBV_WORD "xgetbv"
#define RP_CAPTURE_XGETBV      RP_CAPTURE_XGETBV_WORD " %08x : %016llx"

#endif
