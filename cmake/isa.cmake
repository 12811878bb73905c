# rp_isa_source(TARGET FILE MACRO FLAGS...) adds FILE to TARGET compiled with FLAGS when the
# compiler knows them all, and then defines MACRO for the whole TARGET, so that the registry
# can tell "this build lacks it" from "this CPU lacks it".
include(CheckCCompilerFlag)

function(rp_isa_source target file macro)
  string(REPLACE ";" " " flags "${ARGN}")
  check_c_compiler_flag("${flags}" ${macro}_KNOWN)
  if(${macro}_KNOWN)
    target_sources(${target} PRIVATE ${file})
    set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${ARGN}")
    target_compile_definitions(${target} PRIVATE ${macro}=1)
  endif()
endfunction()
