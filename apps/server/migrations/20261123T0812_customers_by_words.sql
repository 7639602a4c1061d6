-- Middle names stand in the dictionary too, so that a word that many people have is sought by comparing names, and not by
-- putting the text of each card together.
create or replace function keep_customer_names() returns trigger language plpgsql as $$
begin
  insert into "customer_names" ("word", "surname", "key")
  select distinct w."word", w."surname", customer_name_key(w."word")
  from written c
  cross join lateral (values (c."surname", true), (c."name", false), (c."middleName", false)) w ("word", "surname")
  where w."word" <> '' and not exists (select from "customer_names" n where n."word" = w."word" and n."surname" = w."surname")
  order by 1, 2
  on conflict do nothing;
  return null;
end $$;
insert into "customer_names" ("word", "surname", "key")
select distinct c."middleName", false, customer_name_key(c."middleName") from "customers" c where c."middleName" <> ''
on conflict do nothing;

-- The names of any kind that a pattern finds, where many people have them (one of the last hundred cards or more); null:
-- they are few, and the trigrams lead to them sooner, or the names themselves are too many.
create function customer_words(pattern text) returns text[] language plpgsql immutable
  set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
declare
  patterns text[];
  keys text[];
  found text[];
begin
  if customer_name_key(pattern) !~ '^%[а-я]{3,}(-[а-я]+)*%$' then return null; end if;
  patterns := customer_patterns(pattern);
  if (select count(*) < 5 from (select customer_rest("name", "middleName", "post") as words from "customers"
    order by "id" desc limit 500) c where c.words ilike any (patterns)) then return null; end if;
  keys := array(select distinct customer_name_key(one) from unnest(patterns) one);
  found := array(select distinct "word" from "customer_names" where "key" like any (keys) limit 1001);
  return case when cardinality(found) <= 1000 then found end;
end $$;
