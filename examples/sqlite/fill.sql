-- SPDX-License-Identifier: MIT
-- Fills a table in random order, indexes it, and looks things up: a B-tree that is bigger than the cache.
PRAGMA cache_size = 20000;
CREATE TABLE reading (id INTEGER PRIMARY KEY, sensor TEXT, value INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
INSERT INTO reading SELECT i, 'sensor-' || (i * 7919 % 10007), i * 104729 % 100003 FROM n;
CREATE INDEX by_sensor ON reading (sensor);
SELECT count(*), sum(value) FROM reading WHERE sensor LIKE 'sensor-1%';
SELECT count(*) FROM reading a JOIN reading b ON a.sensor = b.sensor WHERE a.id < 2000;
