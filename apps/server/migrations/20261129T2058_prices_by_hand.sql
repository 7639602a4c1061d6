-- A price set by an employee: price lists do not change it, and what the patient was promised stays with the line.
alter table coupon_services add column "byHand" boolean not null default false;
