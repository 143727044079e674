# SPDX-License-Identifier: MIT
# Homebrew on Linux: put the release archive beside this file, then brew install --formula ./hardmeter.rb
class Hardmeter < Formula
  desc "Shows where a program misses the cache, why, and what to change"
  url "file://#{__dir__}/@ARCHIVE@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "MIT"
  depends_on :linux
  depends_on arch: :x86_64

  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"bin/hardmeter", libexec/"bin/ebs"
    man1.install_symlink Dir[libexec/"share/man/man1/*"]
  end

  test do
    system bin/"hardmeter", "--version"
  end
end
