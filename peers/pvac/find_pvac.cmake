# Succeeds if PVAC_DIR names a clone of PVAC.
if(NOT EXISTS "$ENV{PVAC_DIR}/include/pvac/pvac.hpp")
    message(FATAL_ERROR "PVAC_DIR=$ENV{PVAC_DIR} has no include/pvac/pvac.hpp")
endif()
