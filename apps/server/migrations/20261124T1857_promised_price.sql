alter table "coupon_services" add column "promised" numeric(14,2);
alter table "coupon_services" add column "priceUntil" date;
