-- SPDX-License-Identifier: MIT
-- Sorts 200,000 records by a number.
local records = {}
for i = 1, 200000 do records[i] = {i * 7919 % 200003, "user" .. i} end
table.sort(records, function(one, other) return one[1] < other[1] end)
print(records[5][2])
