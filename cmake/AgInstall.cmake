# AgInstall.cmake - what `cmake --install` copies, and how others find it: CMake package and pkg-config
# SPDX-License-Identifier: MIT
include(CMakePackageConfigHelpers)
set(AG_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/afterglow)
set(AG_PACKAGE_BUILD_DIR ${PROJECT_BINARY_DIR}/package)

# Components, which become packages (AgPackage.cmake): runtime, development, tools, and those of hosts/; licence is in
# each package anyway.
#
# The demo and the tests use the same libraries; only these two are installed.
foreach(target afterglow afterglow_static)
    if(TARGET ${target})
        install(TARGETS ${target} EXPORT afterglowTargets
            RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
    endif()
endforeach()
if(TARGET afterglow_ladder) # loaded by its name: no program links it
    install(TARGETS afterglow_ladder
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_SKIP)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/ladder/include/afterglow
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h")
endif()
foreach(target afterglow_cli afterglow_viewer)
    if(TARGET ${target})
        install(TARGETS ${target} RUNTIME COMPONENT tools)
    endif()
endforeach()
if(TARGET afterglow_cli)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/passes DESTINATION ${CMAKE_INSTALL_DATADIR}/afterglow COMPONENT tools)
endif()
find_program(AG_GZIP gzip DOC "Compresses manual pages")
# The program itself writes them, so it has to run here.
if(TARGET afterglow_cli AND UNIX AND NOT CMAKE_CROSSCOMPILING)
    set(manual afterglow.1$<$<BOOL:${AG_GZIP}>:.gz>)
    add_custom_command(OUTPUT ${AG_PACKAGE_BUILD_DIR}/afterglow.1
        COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:afterglow_cli> -D VERSION=${PROJECT_VERSION}
            -D TEMPLATE=${PROJECT_SOURCE_DIR}/demo/cli/afterglow.1.in -D OUT=${AG_PACKAGE_BUILD_DIR}
            -D GZIP=$<$<BOOL:${AG_GZIP}>:${AG_GZIP}> -P ${PROJECT_SOURCE_DIR}/cmake/AgManual.cmake
        DEPENDS afterglow_cli demo/cli/afterglow.1.in cmake/AgManual.cmake VERBATIM)
    add_custom_target(afterglow_manual ALL DEPENDS ${AG_PACKAGE_BUILD_DIR}/afterglow.1)
    install(FILES ${AG_PACKAGE_BUILD_DIR}/${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
    foreach(pair bash/afterglow:bash-completion/completions zsh/_afterglow:zsh/vendor-completions
            fish/afterglow.fish:fish/vendor_completions.d)
        string(REGEX MATCH "(.*):(.*)" unused ${pair})
        install(FILES ${AG_PACKAGE_BUILD_DIR}/${CMAKE_MATCH_1}
            DESTINATION ${CMAKE_INSTALL_DATADIR}/${CMAKE_MATCH_2} COMPONENT tools)
    endforeach()
endif()
if(TARGET afterglow_viewer AND UNIX)
    set(manual ${AG_PACKAGE_BUILD_DIR}/afterglow-viewer.1)
    configure_file(${PROJECT_SOURCE_DIR}/demo/viewer/afterglow-viewer.1.in ${manual} @ONLY)
    if(AG_GZIP)
        execute_process(COMMAND ${AG_GZIP} -9nc ${manual} OUTPUT_FILE ${manual}.gz COMMAND_ERROR_IS_FATAL ANY)
        set(manual ${manual}.gz)
    endif()
    install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
endif()

install(EXPORT afterglowTargets NAMESPACE afterglow:: DESTINATION ${AG_PACKAGE_DIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/engine_plugin/include/afterglow
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h")
# The library contains the shaders. These copies are to be read, or edited with ag_device_desc.shader_dir; the viewer does.
set(AG_SHADERS_COMPONENT development)
if(TARGET afterglow_viewer)
    set(AG_SHADERS_COMPONENT tools)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/shaders DESTINATION ${CMAKE_INSTALL_DATADIR}/afterglow
    COMPONENT ${AG_SHADERS_COMPONENT})
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/SECURITY.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development
    FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.jpg" PATTERN "*.svg")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT licence)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/afterglowConfig.cmake.in
    ${AG_PACKAGE_BUILD_DIR}/afterglowConfig.cmake
    INSTALL_DESTINATION ${AG_PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${AG_PACKAGE_BUILD_DIR}/afterglowConfigVersion.cmake
    COMPATIBILITY SameMajorVersion)
install(FILES
    ${AG_PACKAGE_BUILD_DIR}/afterglowConfig.cmake
    ${AG_PACKAGE_BUILD_DIR}/afterglowConfigVersion.cmake
    DESTINATION ${AG_PACKAGE_DIR} COMPONENT development)

# Paths are relative to the .pc file, so that `cmake --install --prefix` and a moved folder work.
# Folders that were given as absolute paths stay absolute.
set(AG_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    file(RELATIVE_PATH AG_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    string(REGEX REPLACE "/$" "" AG_PC_UP "${AG_PC_UP}")
    set(AG_PC_PREFIX "\${pcfiledir}/${AG_PC_UP}")
endif()
foreach(folder LIBDIR INCLUDEDIR)
    set(AG_PC_${folder} ${CMAKE_INSTALL_${folder}})
    if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_${folder}})
        set(AG_PC_${folder} "\${prefix}/${CMAKE_INSTALL_${folder}}")
    endif()
endforeach()
set(AG_PC_LIBS_PRIVATE "")
if(UNIX)
    set(AG_PC_LIBS_PRIVATE "-lm -ldl")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/afterglow.pc.in ${AG_PACKAGE_BUILD_DIR}/afterglow.pc @ONLY)
install(FILES ${AG_PACKAGE_BUILD_DIR}/afterglow.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
