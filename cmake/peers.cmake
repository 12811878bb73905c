# Libraries that are measured beside the kernels; each is used where it is found.
include(CheckLibraryExists)

option(RIDGEPOINT_PEERS "measure OpenSSL, intel-ipsec-mb and libgcrypt beside our kernels" ON)

if(RIDGEPOINT_PEERS)
  pkg_check_modules(OPENSSL_PEER IMPORTED_TARGET libcrypto>=3)
  pkg_check_modules(LIBGCRYPT_PEER IMPORTED_TARGET libgcrypt)
  # intel-ipsec-mb comes without a file for pkg-config. Before 1.0 it told no errors.
  find_path(IPSEC_MB_INCLUDE intel-ipsec-mb.h)
  find_library(IPSEC_MB_LIBRARY IPSec_MB)
  mark_as_advanced(IPSEC_MB_INCLUDE IPSEC_MB_LIBRARY)
  if(IPSEC_MB_INCLUDE AND IPSEC_MB_LIBRARY)
    check_library_exists("${IPSEC_MB_LIBRARY}" imb_get_errno "" IPSEC_MB_PEER_FOUND)
  endif()
endif()

# rp_peer_sources(TARGET) adds peers/LIBRARY.c to TARGET for each library that was found, and
# defines RP_BUILD_LIBRARY for it.
function(rp_peer_sources target)
  if(NOT RIDGEPOINT_PEERS)
    target_compile_definitions(${target} PRIVATE RP_LEAVE_OUT_PEERS)
    return()
  endif()
  if(OPENSSL_PEER_FOUND)
    target_sources(${target} PRIVATE peers/openssl.c)
    target_compile_definitions(${target} PRIVATE RP_BUILD_OPENSSL)
    target_link_libraries(${target} PRIVATE PkgConfig::OPENSSL_PEER)
  endif()
  if(IPSEC_MB_PEER_FOUND)
    target_sources(${target} PRIVATE peers/ipsec_mb.c)
    set_source_files_properties(peers/ipsec_mb.c PROPERTIES
                                INCLUDE_DIRECTORIES "${IPSEC_MB_INCLUDE}")
    target_compile_definitions(${target} PRIVATE RP_BUILD_IPSEC_MB)
    target_link_libraries(${target} PRIVATE "${IPSEC_MB_LIBRARY}")
  endif()
  if(LIBGCRYPT_PEER_FOUND)
    target_sources(${target} PRIVATE peers/libgcrypt.c)
    target_compile_definitions(${target} PRIVATE RP_BUILD_LIBGCRYPT)
    target_link_libraries(${target} PRIVATE PkgConfig::LIBGCRYPT_PEER)
  endif()
endfunction()
