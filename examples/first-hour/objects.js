// SPDX-License-Identifier: MIT
// Adds up what many objects hold, again and again.
function build(count) {
  const objects = [];
  for (let i = 0; i < count; i++) objects.push({ number: i, name: 'x' + i });
  return objects;
}
function total(objects) {
  let sum = 0;
  for (const each of objects) sum += each.number + each.name.length;
  return sum;
}
const objects = build(100000);
let sum = 0;
for (let i = 0; i < 10; i++) sum += total(objects);
console.log(sum);
