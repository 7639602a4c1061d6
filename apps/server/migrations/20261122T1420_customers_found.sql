-- Whose policy has the number that is typed: a customer is found by it as by what stands on the card.
create function customers_of_policy(typed text) returns bigint[] language plpgsql stable parallel safe as $$
declare
  digits text := regexp_replace(typed, '\D', '', 'g');
begin
  if length(digits) < 9 then return '{}'; end if;
  return array(select p."idCustomer" from customers_policies p where p."number" = digits and not p."deleted" limit 50);
end $$;
-- For a day that is typed.
create index "customers_birthday_idx" on "customers" ("birthday") where not "deleted";
