alter table "dictionaries" add column "oid" text;
alter table "dictionaries" add column "edition" text;
alter table "dictionaries" add column "checkDays" integer not null default 90;
create index "dictionaries_oid_search_idx" on "dictionaries" using gin ("oid" gin_trgm_ops);
create unique index "dictionaries_oid_key" on "dictionaries" ("oid") where not "deleted";
-- The list of the state that comes with the program: by this it is held to it.
update dictionaries set "oid" = '1.2.643.5.1.13.13.11.1005' where "code" = 'icd10' and not "deleted";
