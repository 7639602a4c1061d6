-- The surnames and first names that cards have ever held, so that a search knows what stands in names and what is near to
-- what was typed. Kept by triggers; a word that no card holds any more only costs a look.
create table "customer_names" (
  "word" text not null,
  "surname" boolean not null,
  "key" text not null,
  primary key ("word", "surname")
);
create index "customer_names_key_idx" on "customer_names" using gin ("key" gin_trgm_ops) with (fastupdate = off);

create function customer_name_key(word text) returns text language sql immutable parallel safe as $$
  select translate(lower(word), 'ё', 'е')
$$;

create function keep_customer_names() returns trigger language plpgsql as $$
begin
  insert into "customer_names" ("word", "surname", "key")
  select distinct w."word", w."surname", customer_name_key(w."word")
  from written c cross join lateral (values (c."surname", true), (c."name", false)) w ("word", "surname")
  where w."word" <> '' and not exists (select from "customer_names" n where n."word" = w."word" and n."surname" = w."surname")
  order by 1, 2
  on conflict do nothing;
  return null;
end $$;
create trigger "customers_names_made" after insert on "customers" referencing new table as written
  for each statement execute function keep_customer_names();
create trigger "customers_names_changed" after update on "customers" referencing new table as written
  for each statement execute function keep_customer_names();
insert into "customer_names" ("word", "surname", "key")
select distinct w."word", w."surname", customer_name_key(w."word")
from "customers" c cross join lateral (values (c."surname", true), (c."name", false)) w ("word", "surname")
where w."word" <> '';

-- What is typed whole is looked for whole: a phone of any field, a number of a card.
create index "customers_phones_idx" on "customers" using gin (
  (array["phone", "phoneExtended", "phoneMother", "phoneFather", "phoneWork"])) with (fastupdate = off) where not "deleted";
create index "customers_cardNumber_idx" on "customers" ("cardNumber") where not "deleted";
-- What of a card's words is no surname.
create function customer_rest(name text, "middleName" text, post text) returns text language sql immutable parallel safe as $$
  select coalesce(name, '') || ' ' || coalesce("middleName", '') || ' ' || coalesce(post, '')
$$;
create index "customers_rest_idx" on "customers" using gin (customer_rest("name", "middleName", "post") gin_trgm_ops);

alter index "customers_rest_idx" alter column 1 set statistics 1000;
analyze "customers";

-- The following read tables and are immutable for the planner's sake: a statement with patterns is planned anew with its
-- values, so that they are asked at each planning, and what they answer decides the plan.

-- Whom a number or a day that is typed whole leads to; null: it is something else, or a part of one.
create function customers_known(pattern text) returns bigint[] language plpgsql immutable
  set plan_cache_mode = force_custom_plan as $$
declare
  typed text := trim(both '%' from pattern);
begin
  if typed ~ '^\+\d{11,15}$' then
    return array(select "id" from "customers" where not "deleted"
      and (array["phone", "phoneExtended", "phoneMother", "phoneFather", "phoneWork"]) && array[typed] limit 500);
  elsif typed ~ '^\d{11}$' then
    return array(select "id" from "customers" where not "deleted" and customer_keys("surname", "name", "birthday", "snils",
        array["phone", "phoneExtended", "phoneMother", "phoneFather", "phoneWork"]) && array['s' || typed]
      union select "id" from "customers" where not "deleted" and "cardNumber" = typed limit 500);
  elsif typed ~ '^(0[1-9]|[12]\d|3[01])\.(0[1-9]|1[0-2])\.[12]\d{3}$'
    -- No 31st of February: that is no day.
    and left(typed, 2)::int <= extract(day from to_date(right(typed, 7), 'MM.YYYY') + interval '1 month - 1 day') then
    return array(select "id" from "customers" where not "deleted" and "birthday" = to_date(typed, 'DD.MM.YYYY') limit 500);
  end if;
  return null;
end $$;

-- The patterns that a typed one stands for: itself, and the surnames and names that differ in «ё» alone; where no name
-- has it, those nearest to it, so that a slip of the keys is forgiven.
create function customer_patterns(pattern text) returns text[] language plpgsql immutable set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
declare
  sought text := customer_name_key(trim(both '%' from pattern));
  found text[];
begin
  if sought !~ '^[а-я]{3,}(-[а-я]+)*$' then return array[pattern]; end if;
  found := array(select "word" from "customer_names" where "key" like '%' || sought || '%' limit 50);
  if found <> '{}' then
    return pattern || array(select distinct '%' || w || '%' from unnest(found) w where w not ilike pattern);
  end if;
  if length(sought) < 4 or array(select 1 from "customers" where not "deleted"
    and customer_rest("name", "middleName", "post") ilike pattern limit 1) <> '{}' then return array[pattern]; end if;
  return pattern || array(select '%' || "word" || '%' from "customer_names" where "key" % sought
    and similarity("key", sought) >= 0.35
    group by "word", "key" order by similarity("key", sought) desc, "word" limit 5);
end $$;

-- All the surnames of those whom a pattern finds, where they are few; null: it finds people of many surnames. A list by
-- surnames is then walked along its index within these alone, and not past everybody who precedes them.
-- `others`: with those of people who are found by another word than the surname.
create function customer_surnames(pattern text, others boolean) returns text[] language plpgsql immutable
  set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
declare
  patterns text[];
  keys text[];
  found text[] := '{}';
begin
  if customer_name_key(pattern) !~ '^%[а-я]{3,}(-[а-я]+)*%$' then return null; end if;
  patterns := customer_patterns(pattern);
  if others then
    if (select count(*) >= 5 from (select customer_rest("name", "middleName", "post") as words from "customers"
      order by "id" desc limit 500) c where c.words ilike any (patterns)) then return null; end if;
    found := array(select "surname" from "customers"
      where not "deleted" and customer_rest("name", "middleName", "post") ilike any (patterns) limit 501);
    if cardinality(found) > 500 then return null; end if;
  end if;
  keys := array(select distinct customer_name_key(one) from unnest(patterns) one);
  found := found || array(select "word" from "customer_names" where "surname" and "key" like any (keys) limit 501);
  if cardinality(found) > 1000 then return null; end if;
  return array(select distinct unnest(found));
end $$;
