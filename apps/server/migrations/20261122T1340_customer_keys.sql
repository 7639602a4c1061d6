-- By what two cards may be of the same patient (areas/customers/similar.ts): СНИЛС; names with the birthday; a phone with
-- the first name. Letter case and ё aside.
create function customer_keys(surname text, name text, birthday date, snils text, phones text[])
  returns text[] language sql immutable parallel safe as $$
  select array_remove(array[
      's' || snils,
      'f' || lower(translate(nullif(surname, ''), 'Ёё', 'Ее')) || '|' || lower(translate(nullif(name, ''), 'Ёё', 'Ее'))
        || '|' || (birthday - date '2000-01-01')
    ] || array(select distinct 'p' || phone || '|' || lower(translate(nullif(name, ''), 'Ёё', 'Ее')) from unnest(phones) phone), null)
$$;
-- Without the list of what is yet to be put in order, which every look would walk through.
create index "customers_keys_idx" on "customers" using gin (customer_keys("surname", "name", "birthday", "snils",
  array["phone", "phoneExtended", "phoneMother", "phoneFather", "phoneWork"])) with (fastupdate = off) where not "deleted";
create index "customers_policies_number_idx" on "customers_policies" ("number") where not "deleted";
