# find_package(bankproof) gives bankproof::model, bankproof::oracles and bankproof::algorithms. The
# component testing adds bankproof::testing, which needs GoogleTest and RapidCheck. The component
# kernel adds bankproof::kernel, which needs fmt. The component runtime includes kernel and adds
# bankproof_machine_sources(). If the program is installed, bankproof_add_kernel_test() exists.
include(CMakeFindDependencyMacro)
find_dependency(TBB)
include("${CMAKE_CURRENT_LIST_DIR}/bankproof.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/bankproof_program.cmake" OPTIONAL)
include("${CMAKE_CURRENT_LIST_DIR}/kernel_tests.cmake")

foreach(component IN LISTS bankproof_FIND_COMPONENTS)
  if(component STREQUAL "testing")
    find_package(GTest QUIET)
    find_package(rapidcheck QUIET)
    if(TARGET GTest::gmock AND TARGET rapidcheck_gtest)
      if(NOT TARGET bankproof::testing)
        add_library(bankproof::testing INTERFACE IMPORTED)
        target_link_libraries(bankproof::testing
          INTERFACE bankproof::algorithms GTest::gmock rapidcheck_gtest)
        if(TARGET bankproof::program)
          # For proof_matchers.hpp.
          target_compile_definitions(bankproof::testing
            INTERFACE "BANKPROOF_PROGRAM=\"$<TARGET_FILE:bankproof::program>\"")
        endif()
      endif()
      set(bankproof_testing_FOUND TRUE)
    else()
      set(bankproof_testing_FOUND FALSE)
      string(APPEND bankproof_NOT_FOUND_MESSAGE
             "the component testing needs GoogleTest with GoogleMock, and RapidCheck; ")
    endif()
  elseif(component MATCHES "^(kernel|runtime)$" AND
         EXISTS "${CMAKE_CURRENT_LIST_DIR}/bankproof_kernel.cmake")
    find_dependency(fmt)
    find_dependency(Threads)
    include("${CMAKE_CURRENT_LIST_DIR}/bankproof_kernel.cmake")
    set(bankproof_kernel_FOUND TRUE)
    if(component STREQUAL "runtime" AND TARGET bankproof::nvcc)
      include("${CMAKE_CURRENT_LIST_DIR}/bankproof_runtime.cmake")
      include("${CMAKE_CURRENT_LIST_DIR}/machine_sources.cmake")
      # The package's headers: bankproof/cuda/kernels is in the folder of the other headers; the
      # headers that replace CUDA's are beside the tool.
      get_target_property(bankproof_CUDA_SOURCES bankproof::model INTERFACE_INCLUDE_DIRECTORIES)
      string(APPEND bankproof_CUDA_SOURCES "/bankproof/cuda/kernels")
      get_target_property(bankproof_CUDA_HEADERS bankproof::runtime INTERFACE_INCLUDE_DIRECTORIES)
      set(bankproof_runtime_FOUND TRUE)
    endif()
  elseif(TARGET bankproof::${component})
    set(bankproof_${component}_FOUND TRUE)
  else()
    set(bankproof_${component}_FOUND FALSE)
    string(APPEND bankproof_NOT_FOUND_MESSAGE "there is no component ${component}; ")
  endif()
  if(bankproof_FIND_REQUIRED_${component} AND NOT bankproof_${component}_FOUND)
    set(bankproof_FOUND FALSE)
  endif()
endforeach()

if(NOT COMMAND bankproof_machine_sources)
  function(bankproof_machine_sources target)
    message(FATAL_ERROR "bankproof_machine_sources(${target}) is of the component runtime: "
                        "find_package(bankproof COMPONENTS runtime)")
  endfunction()
endif()
