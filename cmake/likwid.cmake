# likwid, whose likwid-perfctr counts what happens in the marker regions (probes/regions.h). It is
# loaded while the program runs, and only then when likwid-perfctr started it: nothing links it.
set(RIDGEPOINT_LIKWID AUTO CACHE STRING "marker regions for likwid-perfctr: AUTO, ON or OFF")
set_property(CACHE RIDGEPOINT_LIKWID PROPERTY STRINGS AUTO ON OFF)
string(TOUPPER "${RIDGEPOINT_LIKWID}" wanted)
if(NOT wanted MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "RIDGEPOINT_LIKWID is AUTO, ON or OFF, not ${RIDGEPOINT_LIKWID}.")
endif()

# The tests of the counter groups ask likwid in any case. likwid's own file for CMake, which not
# every package has, knows other places than CMake does; it tells no version.
find_package(likwid CONFIG QUIET)
find_path(LIKWID_INCLUDE_DIR likwid-marker.h)
find_library(LIKWID_LIBRARY likwid)
mark_as_advanced(LIKWID_INCLUDE_DIR LIKWID_LIBRARY)
if(LIKWID_INCLUDE_DIR AND LIKWID_LIBRARY)
  set(LIKWID_FOUND TRUE)
else()
  set(LIKWID_FOUND FALSE)
endif()

if(wanted STREQUAL "ON" AND NOT LIKWID_FOUND)
  message(FATAL_ERROR
    "RIDGEPOINT_LIKWID is ON, and likwid's library and likwid-marker.h were not found; install "
    "likwid, name its folder in CMAKE_PREFIX_PATH, or set RIDGEPOINT_LIKWID to AUTO or OFF.")
endif()
if(LIKWID_FOUND AND NOT wanted STREQUAL "OFF")
  set(RP_LIKWID_LIBRARY "${LIKWID_LIBRARY}")
endif()
