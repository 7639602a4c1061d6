-- When an attempt at ЮKassa was first sent: its key protects from a second payment for a day only.
alter table "payment_link_states" add column "dateTry" timestamptz;
-- Whether these were ever sent is not known: ЮKassa is asked first.
update "payment_link_states" s set "dateTry" = l."dateCreate"
  from "payment_links" l where l."id" = s."idLink" and l."status" = 'waiting' and s."idProvider" is null;
