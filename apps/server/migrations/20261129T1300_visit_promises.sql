-- Discounts that a patient was told for a line of a visit.
create table visit_promises (
  "idCouponService" bigint primary key references coupon_services ("id") on delete cascade,
  -- The card of that day: a merge changes the card of the visit, and takes nothing back.
  "toldTo" bigint not null,
  -- A list for each time that a price was told: the discounts that could apply then.
  "told" jsonb not null,
  -- Percent that the author of a discount by hand could give then.
  "limit" numeric(5, 2),
  "dateTold" timestamptz not null default now()
);
-- Why a promised price was taken back.
alter table "coupon_services" add column "promiseTaken" text;
