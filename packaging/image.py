#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes an OCI image of a release archive, as an archive of an image layout: image.py STAGE VERSION FILE

STAGE is the archive as stage.sh lays it out. The image has nothing else: no shell, no other library. Sources of the
formats: OCI Image Format Specification 1.0 (image-layout.md, manifest.md, config.md, layer.md)."""
import gzip
import hashlib
import io
import json
import os
import sys
import tarfile
import time

EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
CREATED = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(EPOCH))


def reproducible(entry):
    """The entry without what depends on who packs it, and when."""
    entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = EPOCH, 0, 0, "", ""
    return entry


def layer_of(stage):
    """A tar archive of the files, and a folder for recordings."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as layer:
        for name in sorted(os.listdir(stage)):
            layer.add(os.path.join(stage, name), name, filter=reproducible)
        temporary = tarfile.TarInfo("tmp")
        temporary.type, temporary.mode = tarfile.DIRTYPE, 0o1777
        layer.addfile(reproducible(temporary))
    return out.getvalue()


class Layout:
    """An image layout: blobs by their digests."""

    def __init__(self):
        self.files = {"oci-layout": json.dumps({"imageLayoutVersion": "1.0.0"}).encode()}

    def add(self, media_type, content):
        """Adds a blob. Returns its descriptor."""
        digest = hashlib.sha256(content).hexdigest()
        self.files[f"blobs/sha256/{digest}"] = content
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(content)}

    def write(self, path):
        with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as out:
            for name, content in sorted(self.files.items()):
                entry = reproducible(tarfile.TarInfo(name))
                entry.size, entry.mode = len(content), 0o644
                out.addfile(entry, io.BytesIO(content))


def make(stage, version, path):
    layer = layer_of(stage)
    layout = Layout()
    compressed = layout.add("application/vnd.oci.image.layer.v1.tar+gzip", gzip.compress(layer, 9, mtime=0))
    config = layout.add("application/vnd.oci.image.config.v1+json", json.dumps({
        "created": CREATED,
        "architecture": "amd64",
        "os": "linux",
        "config": {
            "Env": ["PATH=/usr/bin", "HOME=/tmp", "LC_ALL=C.UTF-8"],
            "Entrypoint": ["/usr/bin/hardmeter"],
            "Cmd": ["--help"],
            "WorkingDir": "/tmp",
            "Labels": {"org.opencontainers.image.title": "hardmeter", "org.opencontainers.image.version": version,
                       "org.opencontainers.image.licenses": "MIT"},
        },
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
        "history": [{"created": CREATED, "created_by": "packaging/image.py"}],
    }).encode())
    manifest = layout.add("application/vnd.oci.image.manifest.v1+json", json.dumps({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config, "layers": [compressed],
    }).encode())
    manifest["annotations"] = {"org.opencontainers.image.ref.name": version}
    manifest["platform"] = {"architecture": "amd64", "os": "linux"}
    layout.files["index.json"] = json.dumps({"schemaVersion": 2, "manifests": [manifest]}).encode()
    layout.write(path)


if __name__ == "__main__":
    make(*sys.argv[1:])
