-- Birthdays of a day, for the messages, the report and the dashboard.
create index "customers_birthday_day_idx" on "customers" ((extract(month from "birthday")), (extract(day from "birthday")))
  where "birthday" is not null and not "deleted";
