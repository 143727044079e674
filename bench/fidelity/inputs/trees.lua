-- SPDX-License-Identifier: MIT
-- trees.lua DEPTH TURNS: builds binary trees of tables and counts their nodes.
local depth, turns = tonumber(arg[1]), tonumber(arg[2])

local function build(levels)
  if levels == 0 then return {} end
  return {build(levels - 1), build(levels - 1)}
end

local function count(tree)
  if not tree[1] then return 1 end
  return 1 + count(tree[1]) + count(tree[2])
end

local kept, nodes = build(depth), 0
for turn = 1, turns do nodes = nodes + count(build(depth - 2)) end
print(nodes + count(kept))
