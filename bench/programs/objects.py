# SPDX-License-Identifier: MIT
"""Writes 12,000 small objects as JSON and reads them again, six times."""
import json

objects = {str(i): [i, i * 2.5, f"item {i}", {"number": i, "list": [1, 2, 3]}] for i in range(12000)}
text = json.dumps(objects)
print(sum(len(json.loads(text)) for _ in range(6)))
