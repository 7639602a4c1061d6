-- Types that patients see on the site and buy in their portal; a payment link that buys a membership.
alter table "membership_types" add column "isOnSite" boolean not null default false;
alter table "membership_types" add column "isOnline" boolean not null default false;
alter table "payment_links" add column "membership" jsonb;
