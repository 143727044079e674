# SPDX-License-Identifier: MIT
"""Loads the definitions of benchmarks that run as soon as they are imported."""
import ast
import sys
import types


def calls_main(statement):
    return ast.unparse(statement) == "main()"


def definitions_of(path, name):
    """Returns the script at `path` as a module named `name`, without its last statement `main()`."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read(), path)
    tree.body = [statement for statement in tree.body if not calls_main(statement)]
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module  # dataclasses look their module up
    exec(compile(tree, path, "exec"), module.__dict__)
    return module
