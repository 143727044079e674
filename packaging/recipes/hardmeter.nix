# SPDX-License-Identifier: MIT
# Nix: put the release archive beside this file, then nix-build -E 'with import <nixpkgs> {}; callPackage ./hardmeter.nix {}'
# The programs bring their own dynamic linker, so nothing has to be patched.
{ stdenv, zstd }:
stdenv.mkDerivation {
  pname = "hardmeter";
  version = "@VERSION@";
  src = ./@ARCHIVE@; # sha256 @SHA256@
  nativeBuildInputs = [ zstd ];
  dontConfigure = true;
  dontBuild = true;
  dontFixup = true;
  installPhase = ''
    mkdir -p $out
    cp -a . $out/
  '';
  meta.platforms = [ "x86_64-linux" ];
}
