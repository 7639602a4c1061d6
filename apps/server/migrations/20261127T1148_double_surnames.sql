-- A double surname is one surname with a hyphen, a spaced hyphen or a space.
drop index "customers_keys_idx";
create or replace function customer_keys(surname text, name text, birthday date, snils text, phones text[])
  returns text[] language sql immutable parallel safe as $$
  select array_remove(array[
      's' || snils,
      'f' || lower(translate(regexp_replace(nullif(surname, ''), '\s*[-‐‑‒–—−]\s*|\s+', ' ', 'g'), 'Ёё', 'Ее'))
        || '|' || lower(translate(nullif(name, ''), 'Ёё', 'Ее')) || '|' || (birthday - date '2000-01-01')
    ] || array(select distinct 'p' || phone || '|' || lower(translate(nullif(name, ''), 'Ёё', 'Ее')) from unnest(phones) phone), null)
$$;
create index "customers_keys_idx" on "customers" using gin (customer_keys("surname", "name", "birthday", "snils",
  array["phone", "phoneExtended", "phoneMother", "phoneFather", "phoneWork"])) with (fastupdate = off) where not "deleted";
insert into "customer_pairs_due" select "id" from "customers" where "surname" ~ '[ -]' and not "deleted"
  order by 1 on conflict do nothing;
