# One warning set for gcc and clang. RIDGEPOINT_WERROR makes them errors: on for developers,
# off for users, whose compiler may be newer than ours.
option(RIDGEPOINT_WERROR "treat warnings as errors" OFF)
option(RIDGEPOINT_SANITIZE "build with address and undefined-behaviour sanitizers" OFF)
option(RIDGEPOINT_FUZZ "build tests/fuzz with libFuzzer, which clang brings" OFF)

add_compile_options(-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
                    -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wundef
                    -Wformat=2 -Wimplicit-fallthrough)
if(RIDGEPOINT_WERROR)
  add_compile_options(-Werror)
endif()
if(RIDGEPOINT_SANITIZE)
  # Optimised a little: plain references, instrumented, take minutes without.
  add_compile_options(-O1 -fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(RIDGEPOINT_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "RIDGEPOINT_FUZZ needs clang; use the preset fuzz.")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
