// SPDX-License-Identifier: MIT
// object_array.js [mended]: adds up a property of objects, in no order. Mended: a typed array of the property.
const count = 200000;
const mended = process.argv[2] === 'mended';

function shuffled(objects) {
  let random = 1;
  for (let i = objects.length - 1; i > 0; i--) {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    const other = random % (i + 1);
    [objects[i], objects[other]] = [objects[other], objects[i]];
  }
  return objects;
}

function totalOfObjects(objects) {
  let total = 0;
  for (let i = 0; i < objects.length; i++) total += objects[i].price;
  return total;
}

function totalOfPrices(prices) {
  let total = 0;
  for (let i = 0; i < prices.length; i++) total += prices[i];
  return total;
}

const objects = [];
for (let i = 0; i < count; i++) objects.push({ price: i * 7 + 0.5, name: 'x', quantity: i });
const inNoOrder = shuffled(objects);
const prices = Float64Array.from(inNoOrder, (each) => each.price);
let total = 0;
for (let round = 0; round < 40; round++) total += mended ? totalOfPrices(prices) : totalOfObjects(inNoOrder);
console.log(total);
