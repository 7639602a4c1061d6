alter table "customers" add column "noMessenger" boolean not null default false;
alter table "customers" add column "noSms" boolean not null default false;
alter table "customers" add column "noEmail" boolean not null default false;
