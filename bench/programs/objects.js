// SPDX-License-Identifier: MIT
// Writes 20,000 small objects as JSON, reads them again and sorts their names, four times.
const objects = Object.fromEntries(
  Array.from({ length: 20000 }, (_, i) => ["name" + i, { number: i, list: [i, i + 1], text: "item " + i }]));
let sum = 0;
for (let i = 0; i < 4; ++i) sum += Object.keys(JSON.parse(JSON.stringify(objects))).sort().length;
console.log(sum);
