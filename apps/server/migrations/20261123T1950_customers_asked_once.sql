-- What is typed is looked up while the statement is planned, each time that it is named there: words of a card are asked
-- for once by this, where they were three times. Strict: of what is no name that many have, nothing is left of it in the
-- plan but null, in whose place the trigrams stand.
create function customer_has(words text[], names text[], rest text, patterns text[]) returns boolean
  language plpgsql immutable strict parallel safe as $$
begin
  return names && words or rest ilike any (patterns);
end $$;
