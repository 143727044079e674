#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_document.py runs a document's commands as a reader types them, fails if an output differs, and puts new outputs in
place of old ones."""
import pathlib
import subprocess
import sys
import tempfile

DOCUMENT = """# A document

```
$ echo one; echo two
one
two
$ cd / && false
$ echo $?
1
```

```sh
cat >~/file <<'END'
three lines 1
and 2
it ends 3
END
```

```
$ pwd; cat ~/file
/
three lines 7
```

Its end:

<!-- more of the output -->

```
it ends 9
```

## Elsewhere

<!-- needs: no-such-program -->

```
$ no-such-program
here
```

<!-- not run: takes a year -->

```
$ sleep 31536000
```

```c
int main(void) {}
```
"""

# (what, text of the document, replacement, words of the output, status)
CASES = [
    ("right outputs", "", "", ["SKIPPED: d.md, Elsewhere: there is no no-such-program", "0 failures"], 0),
    ("a wrong word", "two\n$", "too\n$", ["FAILED: d.md:4: echo one; echo two", "shows 'one too', the run 'one two'"], 1),
    ("an output that goes on differently", "it ends 9", "and it ends 9", ["FAILED: d.md:21: pwd; cat ~/file"], 1),
    ("a failure that no command shows", "$ echo $?\n1\n", "", ["FAILED: d.md:7: cd / && false", "status 1"], 1),
    ("a program that fails in a script", "cat >~/file", "cat >/no/file", ["FAILED: d.md:13: cat >/no/file <<'END'"], 1),
    ("a block of unknown kind", "```c\n", "```\n", ["a block without commands"], 1),
    ("a block of indented commands", "Its end:\n", "Its end:\n\n    make install\n", ["an indented block"], 1),
    ("a mark with a fault", "<!-- not run: takes", "<!-- not runs: takes", ["unknown mark"], 1),
    ("no commands", DOCUMENT, "Words.\n", ["0 commands ran"], 77),
]


def run(text, *options):
    """Returns (output, status, the document afterwards)."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "d.md")
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, pathlib.Path(__file__).with_name("check_document.py"), "--build", folder, *options, path],
                              capture_output=True, text=True, check=False, timeout=120)
        return done.stdout + done.stderr, done.returncode, path.read_text(encoding="utf-8")


def main():
    failures = []
    for what, old, new, words, status in CASES:
        text = DOCUMENT.replace(old, new) if old else DOCUMENT
        output, ended, _ = run(text)
        if ended != status or any(word not in output for word in words):
            failures.append(f"{what}: status {ended}, not {status}; or not all of {words} in:\n{output}")
    wrong = DOCUMENT.replace("two\n$", "too\n$").replace("three lines 7\n", "three lines 7\n...\n").replace("it ends 9", "it ends 99")
    output, ended, renewed = run(wrong, "--update", "--folder", tempfile.mktemp())
    expected = DOCUMENT.replace("three lines 7\n", "three lines 1\n...\n").replace("it ends 9", "it ends 3")
    if ended != 0 or renewed != expected:
        failures.append(f"new outputs: status {ended}, {output}\n{renewed}")
    print("".join(f"FAILED: {failure}\n" for failure in failures) or "all as expected")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
