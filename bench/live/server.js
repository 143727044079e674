// SPDX-License-Identifier: MIT
// A web server whose every answer makes JSON and reads it again.
require('http').createServer((request, response) => {
  const records = [];
  for (let i = 0; i < 200; i++) records.push({i, name: 'record' + i});
  response.end(JSON.stringify(JSON.parse(JSON.stringify(records))));
}).listen(Number(process.argv[2]), '127.0.0.1');
