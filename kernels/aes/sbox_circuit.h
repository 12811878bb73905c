/* SPDX-License-Identifier: MIT */
/*
 * The S-box of AES as a circuit of 113 gates, 81 XOR and 32 AND: the straight-line
 * program of the Circuit Minimization Team at Yale (Boyar, Peralta and Calik), a later
 * version of the 115 gates in Boyar and Peralta, "A new combinational logic minimization
 * technique with applications to cryptology", 2010.
 *
 * RP_AES_SBOX_CIRCUIT(XOR, AND) expands to XOR(result, left, right) and AND(result, left,
 * right), in an order in which they can be computed. From the input bits x0 (the highest)
 * to x7 it makes s0 to s7, without the constant 0x63 that the S-box adds: s1, s2, s6 and
 * s7 are complemented.
 *
 * Linear sums of the input (y), the inverse in GF(((2^2)^2)^2) (t), its products with the
 * sums (z), and linear sums of those (b, s).
 */
#ifndef RP_KERNELS_AES_SBOX_CIRCUIT_H
#define RP_KERNELS_AES_SBOX_CIRCUIT_H

/* clang-format off */
#define RP_AES_SBOX_CIRCUIT(XOR, AND) \
    XOR(y14, x3, x5) XOR(y13, x0, x6) XOR(y9, x0, x3) XOR(y8, x0, x5) XOR(t0, x1, x2) \
    XOR(y1, t0, x7) XOR(y4, y1, x3) XOR(y12, y13, y14) XOR(y2, y1, x0) XOR(y5, y1, x6) \
    XOR(y3, y5, y8) XOR(t1, x4, y12) XOR(y15, t1, x5) XOR(y20, t1, x1) \
    XOR(y6, y15, x7) XOR(y10, y15, t0) XOR(y11, y20, y9) XOR(y7, x7, y11) \
    XOR(y17, y10, y11) XOR(y19, y10, y8) XOR(y16, t0, y11) XOR(y21, y13, y16) \
    XOR(y18, x0, y16) \
    AND(t2, y12, y15) AND(t3, y3, y6) XOR(t4, t3, t2) AND(t5, y4, x7) XOR(t6, t5, t2) \
    AND(t7, y13, y16) AND(t8, y5, y1) XOR(t9, t8, t7) AND(t10, y2, y7) \
    XOR(t11, t10, t7) AND(t12, y9, y11) AND(t13, y14, y17) XOR(t14, t13, t12) \
    AND(t15, y8, y10) XOR(t16, t15, t12) XOR(t17, t4, y20) XOR(t18, t6, t16) \
    XOR(t19, t9, t14) XOR(t20, t11, t16) XOR(t21, t17, t14) XOR(t22, t18, y19) \
    XOR(t23, t19, y21) XOR(t24, t20, y18) \
    XOR(t25, t21, t22) AND(t26, t21, t23) XOR(t27, t24, t26) AND(t28, t25, t27) \
    XOR(t29, t28, t22) XOR(t30, t23, t24) XOR(t31, t22, t26) AND(t32, t31, t30) \
    XOR(t33, t32, t24) XOR(t34, t23, t33) XOR(t35, t27, t33) AND(t36, t24, t35) \
    XOR(t37, t36, t34) XOR(t38, t27, t36) AND(t39, t29, t38) XOR(t40, t25, t39) \
    XOR(t41, t40, t37) XOR(t42, t29, t33) XOR(t43, t29, t40) XOR(t44, t33, t37) \
    XOR(t45, t42, t41) \
    AND(z0, t44, y15) AND(z1, t37, y6) AND(z2, t33, x7) AND(z3, t43, y16) \
    AND(z4, t40, y1) AND(z5, t29, y7) AND(z6, t42, y11) AND(z7, t45, y17) \
    AND(z8, t41, y10) AND(z9, t44, y12) AND(z10, t37, y3) AND(z11, t33, y4) \
    AND(z12, t43, y13) AND(z13, t40, y5) AND(z14, t29, y2) AND(z15, t42, y9) \
    AND(z16, t45, y14) AND(z17, t41, y8) \
    XOR(b1, z15, z16) XOR(b2, z10, b1) XOR(b3, z9, b2) XOR(b4, z0, z2) XOR(b5, z1, z0) \
    XOR(b6, z3, z4) XOR(b7, z12, b4) XOR(b8, z7, b6) XOR(b9, z8, b7) XOR(b10, b8, b9) \
    XOR(b11, b6, b5) XOR(b12, z3, z5) XOR(b13, z13, b1) XOR(b14, b4, b12) \
    XOR(s3, b3, b11) XOR(b16, z6, b8) XOR(b17, z14, b10) XOR(b18, b13, b14) \
    XOR(s7, z12, b18) XOR(b20, z15, b16) XOR(b21, b2, z11) XOR(s0, b3, b16) \
    XOR(s6, b10, b18) XOR(s4, b14, s3) XOR(s1, s3, b16) XOR(b26, b17, b20) \
    XOR(s2, b26, z17) XOR(s5, b21, b17)
/* clang-format on */

#endif
