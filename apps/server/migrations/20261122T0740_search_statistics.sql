-- How many records a search finds decides how it is best made: by the trigrams, or by a walk in the list's order that
-- soon has a page. A hundred samples of a column tell one from the other too badly (at 2,000,000 tasks a name of one in
-- fifty was taken for one in 10,000, and sought for a second instead of 10 ms).
do $$
declare
  searched record;
begin
  for searched in
    select distinct i.indrelid::regclass as entity, a.attname as field
    from pg_index i
    join pg_opclass o on o.oid = any(i.indclass) and o.opcname = 'gin_trgm_ops'
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey) and a.atttypid = 'text'::regtype
  loop
    execute format('alter table %s alter column %I set statistics 500', searched.entity, searched.field);
    execute format('analyze %s (%I)', searched.entity, searched.field);
  end loop;
end $$;
