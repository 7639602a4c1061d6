-- The planner took any index of living cards for a way to all of them, and then read each card's words: in a small clinic
-- slower than the trigrams of a large one. Those of cards in the trash cost a look, and without them the trigrams are the
-- only way. And names stand in the dictionary: where it knows no first or middle name like what is typed, posts alone are
-- left to be looked through, which few cards have.
create index "customers_post_idx" on "customers" using gin ("post" gin_trgm_ops) where "post" <> '';

create or replace function customer_patterns(pattern text) returns text[] language plpgsql immutable
  set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_custom_plan as $$
declare
  sought text := customer_name_key(trim(both '%' from pattern));
  found text[];
begin
  if sought !~ '^[а-я]{3,}(-[а-я]+)*$' then return array[pattern]; end if;
  found := array(select "word" from "customer_names" where "key" like '%' || sought || '%' limit 50);
  if found <> '{}' then
    return pattern || array(select distinct '%' || w || '%' from unnest(found) w where w not ilike pattern);
  end if;
  if length(sought) < 4
    or array(select 1 from "customers" where "post" <> '' and "post" ilike pattern limit 1) <> '{}' then
    return array[pattern];
  end if;
  return pattern || array(select '%' || "word" || '%' from "customer_names" where "key" % sought
    and similarity("key", sought) >= 0.35
    group by "word", "key" order by similarity("key", sought) desc, "word" limit 5);
end $$;

create or replace function customer_surnames(pattern text, others boolean) returns text[] language plpgsql immutable
  set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_custom_plan as $$
declare
  patterns text[];
  keys text[];
  found text[] := '{}';
begin
  if customer_name_key(pattern) !~ '^%[а-я]{3,}(-[а-я]+)*%$' then return null; end if;
  patterns := customer_patterns(pattern);
  keys := array(select distinct customer_name_key(one) from unnest(patterns) one);
  if others then
    if array(select 1 from "customer_names" where not "surname" and "key" like any (keys) limit 1) = '{}' then
      found := array(select "surname" from "customers" where "post" <> '' and "post" ilike any (patterns) limit 501);
    else
      if (select count(*) >= 2 from (select customer_rest("name", "middleName", "post") as words from "customers"
        order by "id" desc limit 200) c where c.words ilike any (patterns)) then return null; end if;
      found := array(select "surname" from "customers"
        where customer_rest("name", "middleName", "post") ilike any (patterns) limit 501);
    end if;
    if cardinality(found) > 500 then return null; end if;
  end if;
  found := found || array(select "word" from "customer_names" where "surname" and "key" like any (keys) limit 501);
  if cardinality(found) > 1000 then return null; end if;
  return array(select distinct unnest(found));
end $$;

-- Two hundred cards tell as much of what many have as five hundred, in less than half of the time; a statement asks it
-- several times while it is planned.
create or replace function customer_words(pattern text) returns text[] language plpgsql immutable
  set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
declare
  patterns text[];
  keys text[];
  found text[];
begin
  if customer_name_key(pattern) !~ '^%[а-я]{3,}(-[а-я]+)*%$' then return null; end if;
  patterns := customer_patterns(pattern);
  if (select count(*) < 2 from (select customer_rest("name", "middleName", "post") as words from "customers"
    order by "id" desc limit 200) c where c.words ilike any (patterns)) then return null; end if;
  keys := array(select distinct customer_name_key(one) from unnest(patterns) one);
  found := array(select distinct "word" from "customer_names" where "key" like any (keys) limit 1001);
  return case when cardinality(found) <= 1000 then found end;
end $$;

-- The newest cards first: of a limited one the order tells no day.
create index "customers_open_dateCreate_idx" on "customers"
  ((case when not ("secretLevel" <> 'none') then "dateCreate" end) desc nulls last, "id" desc) where not "deleted";
