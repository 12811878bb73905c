# rp_embed(TARGET HEADER FILE...) writes HEADER, which holds each FILE as the C string
# rp_<name>, dots and dashes in the name turned to underscores, so that the program needs no
# data files at run time. TARGET finds it as <its folder>/HEADER.
function(rp_embed target header)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${header})
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE inputs)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DINPUTS=${inputs}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake
    DEPENDS ${inputs} ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR})
endfunction()

# rp_embed_rows(TARGET HEADER FILE...) does the same with many files of like names: HEADER holds a
# row {"folder", "name", "text"} for each FILE, without the ending, to be included in an array.
function(rp_embed_rows target header)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${header})
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DINPUTS=${ARGN}" -DROWS=ON
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR})
endfunction()
