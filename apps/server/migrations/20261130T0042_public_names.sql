-- What patients see instead of the official name of a service.
alter table services add column "publicName" text;
