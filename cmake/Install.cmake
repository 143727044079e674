# SPDX-License-Identifier: MIT
# What is installed, in three parts: the tool, the library that programs need, and what building such programs needs.
include(CMakePackageConfigHelpers)

set(engines ${CMAKE_INSTALL_LIBEXECDIR}/hardmeter)  # the launcher looks there: src/pmu/soft/launcher/engine_folder.cc
install(TARGETS hardmeter RUNTIME COMPONENT tool)
install(FILES ${CMAKE_BINARY_DIR}/bin/ebs DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)  # a link
install(TARGETS ${HM_ENGINE_TARGETS} RUNTIME DESTINATION ${engines} COMPONENT tool)
install(TARGETS hardmeter-guest hardmeter-guest-init LIBRARY DESTINATION ${engines} RUNTIME DESTINATION ${engines} COMPONENT tool)
if("valgrind" IN_LIST HM_ENGINES)
  foreach(support default.supp vgpreload_core-amd64-linux.so)  # Valgrind's own
    install(FILES ${CMAKE_BINARY_DIR}/libexec/hardmeter/${support} DESTINATION ${engines} COMPONENT tool)
  endforeach()
endif()
install(FILES LICENSE NOTICE.md README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tool)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT tool PATTERN man EXCLUDE)
install(FILES docs/man/hardmeterrc.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT tool)

install(FILES cmake/install/hardmeter-agent.service DESTINATION lib/systemd/system COMPONENT tool)
install(FILES cmake/install/agent.toml DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT tool)

# Manual pages and completions say what --help says: the program's own words are their source.
set(documentation ${CMAKE_BINARY_DIR}/documentation)
install(DIRECTORY ${documentation}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tool)
install(DIRECTORY ${documentation}/bash/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tool)
install(FILES ${documentation}/bash/hardmeter RENAME ebs  # bash-completion looks for a file of the command's name
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tool)
install(DIRECTORY ${documentation}/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT tool)
install(DIRECTORY ${documentation}/fish/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tool)

install(TARGETS libhardmeter EXPORT hardmeter LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS libhardmeter_static EXPORT hardmeter ARCHIVE COMPONENT development)
install(CODE "if(CMAKE_INSTALL_DO_STRIP)
  execute_process(COMMAND ${CMAKE_STRIP} --strip-debug
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/${CMAKE_STATIC_LIBRARY_PREFIX}hardmeter.a\")
endif()" COMPONENT development)  # what CMake strips is programs and shared libraries
install(DIRECTORY include/hardmeter DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

set(config ${CMAKE_INSTALL_LIBDIR}/cmake/hardmeter)
install(EXPORT hardmeter FILE hardmeterTargets.cmake NAMESPACE hardmeter:: DESTINATION ${config} COMPONENT development)
configure_package_config_file(cmake/install/hardmeterConfig.cmake.in ${CMAKE_BINARY_DIR}/hardmeterConfig.cmake
  INSTALL_DESTINATION ${config})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/hardmeterConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/hardmeterConfig.cmake ${CMAKE_BINARY_DIR}/hardmeterConfigVersion.cmake
  DESTINATION ${config} COMPONENT development)
file(RELATIVE_PATH PREFIX_FROM_PKGCONFIG /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)  # wherever it is installed
configure_file(cmake/install/hardmeter.pc.in ${CMAKE_BINARY_DIR}/hardmeter.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/hardmeter.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# Debian packages: cpack -G DEB
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL tool library development)
set(CPACK_PACKAGE_NAME hardmeter)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "the hardmeter authors <hardmeter@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "shows where a program misses the cache, why, and what to change")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES TRUE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME hardmeter)
# The HTTP server library, which is loaded when a command serves something; support files for the Valgrind engine.
# Debian 13 and later add "t64" to names.
set(CPACK_DEBIAN_TOOL_PACKAGE_DEPENDS "libmicrohttpd12 | libmicrohttpd12t64")
if("valgrind" IN_LIST HM_ENGINES)
  string(APPEND CPACK_DEBIAN_TOOL_PACKAGE_DEPENDS ", valgrind")
endif()
set(CPACK_DEBIAN_TOOL_PACKAGE_RECOMMENDS "libcurl4 | libcurl4t64")  # which is loaded to ask ClickHouse
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libhardmeter0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/cmake/install/triggers)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libhardmeter-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libhardmeter0 (= ${PROJECT_VERSION}), libfmt-dev, libzstd-dev, liblzma-dev, zlib1g-dev, libpfm4-dev, libstdc++-12-dev | libstdc++-dev")
include(CPack)
