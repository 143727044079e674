// SPDX-License-Identifier: MIT
// brightness.js columns|rows: adds up a picture of 1000 by 1500 floats, column by column or row by row.
const kColumns = 1000, kRows = 1500;
const picture = new Float32Array(kColumns * kRows);
for (let i = 0; i < picture.length; ++i) picture[i] = (i * 7919) % 256;

function downColumns() {
  let sum = 0;
  for (let x = 0; x < kColumns; ++x) {
    for (let y = 0; y < kRows; ++y) sum += picture[y * kColumns + x];
  }
  return sum;
}

function alongRows() {
  let sum = 0;
  for (let y = 0; y < kRows; ++y) {
    for (let x = 0; x < kColumns; ++x) sum += picture[y * kColumns + x];
  }
  return sum;
}

let total = 0;
for (let turn = 0; turn < 3; ++turn) total += process.argv[2] === 'columns' ? downColumns() : alongRows();
console.log(total);
