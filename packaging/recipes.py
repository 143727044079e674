#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fills the recipes for Arch Linux, Homebrew and Nix in with the version and the archive's checksum:
recipes.py ARCHIVE VERSION DIST"""
import hashlib
import pathlib
import sys

RECIPES = {"PKGBUILD": "arch/PKGBUILD", "hardmeter.rb": "homebrew/hardmeter.rb", "hardmeter.nix": "nix/hardmeter.nix"}


def main():
    archive, version, dist = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    here = pathlib.Path(__file__).resolve().parent
    values = {"@VERSION@": version, "@ARCHIVE@": archive.name, "@SHA256@": hashlib.sha256(archive.read_bytes()).hexdigest()}
    for source, target in RECIPES.items():
        text = (here / "recipes" / source).read_text(encoding="utf-8")
        for key, value in values.items():
            text = text.replace(key, value)
        path = dist / "recipes" / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
