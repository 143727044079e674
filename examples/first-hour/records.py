# SPDX-License-Identifier: MIT
"""Writes records as JSON and reads them again."""
import json

records = [{"number": i, "name": str(i) * 5, "values": [i] * 5} for i in range(10000)]
text = json.dumps(records)
for _ in range(3):
    read = json.loads(text)
print(len(read), sum(each["number"] for each in read))
