# SPDX-License-Identifier: MIT
# A thin front: CMake does the work (CMakePresets.json), and so works alone, too.

ridgepoint := build/release/cli/ridgepoint

.DEFAULT_GOAL := all
.PHONY: all help build bootstrap sweep quick test clean

all: build help

help:
	@echo 'make sweep   check every kernel, measure this machine, draw its AES roofline (4 min)'
	@echo 'make quick   the same with fewer sizes (under 30 s)'
	@echo 'make test    build and run every test: gcc, clang, sanitizers'
	@echo 'make         build $(ridgepoint) and show this'
	@echo 'make clean   remove build/, keep results/'

bootstrap:
	@scripts/bootstrap

build: bootstrap
	@cmake --preset release
	@cmake --build --preset release

sweep quick: build
	$(ridgepoint) check
	$(ridgepoint) sweep $(if $(filter quick,$@),quick,default)

test:
	@scripts/bootstrap test
	cmake --workflow --preset dev
	cmake --workflow --preset clang
	cmake --workflow --preset asan

clean:
	rm -rf build
