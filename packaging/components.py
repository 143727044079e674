#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes licenses/ and sbom.spdx.json (SPDX 2.3) of a release archive's folder: components.py ROOT VERSION LIBRARY...

The licences are those of the Debian packages that the libraries come from. The other packages are listed below."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

# Packages of headers that are compiled into the program, and of the descriptions of terminals.
OTHERS = ("libcli11-dev", "nlohmann-json3-dev", "libtomlplusplus-dev", "ncurses-base")


def package_of(path):
    """The installed package that has this file; /lib may be a link to /usr/lib."""
    for name in (path, os.path.realpath(path), os.path.realpath(path).removeprefix("/usr")):
        found = subprocess.run(["dpkg-query", "--search", name], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    sys.exit(f"components: no package has {path}")


def field(package, name):
    return subprocess.run(["dpkg-query", "--show", f"--showformat=${{{name}}}", package], capture_output=True, text=True,
                          check=True).stdout


def is_installed(package):
    return subprocess.run(["dpkg-query", "--show", package], capture_output=True).returncode == 0


def copy_licence(package, root):
    target = root / "licenses" / package
    shutil.copyfile(f"/usr/share/doc/{package}/copyright", target)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def package_entry(name, version, source, source_version):
    return {
        "SPDXID": f"SPDXRef-Package-{name.replace('+', '-plus')}",
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "sourceInfo": f"Debian source package {source} {source_version}",
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "NOASSERTION",
        "licenseComments": f"licenses/{name}",
        "copyrightText": "NOASSERTION",
        "filesAnalyzed": False,
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": f"pkg:deb/debian/{name}@{version}?arch=amd64"}],
    }


def sbom(root, version, packages):
    own = {"SPDXID": "SPDXRef-hardmeter", "name": "hardmeter", "versionInfo": version, "downloadLocation": "NOASSERTION",
           "licenseConcluded": "MIT", "licenseDeclared": "MIT", "copyrightText": "NOASSERTION", "filesAnalyzed": False}
    entries = [package_entry(name, field(name, "Version"), field(name, "source:Package"), field(name, "source:Version"))
               for name in packages]
    digest = hashlib.sha256("".join(sha256(path) for path in sorted((root / "lib/hardmeter").rglob("*")) if path.is_file()).encode())
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"hardmeter-{version}-x86_64-linux",
        "documentNamespace": f"https://spdx.org/spdxdocs/hardmeter-{version}-{digest.hexdigest()[:32]}",
        "creationInfo": {"created": created(), "creators": ["Tool: packaging/components.py"]},
        "packages": [own, *entries],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own["SPDXID"]},
                          *({"spdxElementId": own["SPDXID"], "relationshipType": "CONTAINS", "relatedSpdxElement": entry["SPDXID"]}
                            for entry in entries)],
    }


def created():
    """The time of the release, as in the archive."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "0")
    return subprocess.run(["date", "--utc", f"--date=@{epoch}", "+%Y-%m-%dT%H:%M:%SZ"], capture_output=True, text=True, check=True).stdout.strip()


def main():
    root, version, libraries = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    packages = sorted({package_of(library) for library in libraries} | {name for name in OTHERS if is_installed(name)})
    (root / "licenses").mkdir()
    for package in packages:
        copy_licence(package, root)
    (root / "sbom.spdx.json").write_text(json.dumps(sbom(root, version, packages), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
