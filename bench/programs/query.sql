-- SPDX-License-Identifier: MIT
-- A table of 200,000 rows in memory, an index, a join and an aggregate.
create table items(id integer primary key, kind integer, name text);
with recursive counter(n) as (select 1 union all select n + 1 from counter where n < 200000)
insert into items select n, (n * 7919) % 1000, 'item ' || ((n * 104729) % 200000) from counter;
create index by_name on items(name);
select count(*), sum(length(a.name)) from items a join items b on b.name = 'item ' || a.id where b.kind < 500;
select kind, count(*), max(name) from items group by kind order by 2 desc, 1 limit 3;
