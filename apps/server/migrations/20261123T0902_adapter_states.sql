-- What the checks of an outside system tell of it, since when it does not work, and whether administrators were told.
create table "adapter_states" (
  "key" text primary key,
  "dateChecked" timestamptz,
  "dateGood" timestamptz,
  "error" text,
  "checkingUntil" timestamptz,
  "dateFailing" timestamptz,
  "dateTold" timestamptz
);
