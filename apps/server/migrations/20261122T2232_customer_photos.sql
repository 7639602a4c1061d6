alter table "customers" add column "idPhoto" bigint;
create table "customers_photos" (
  "id" bigint not null default nextval('file_ids') primary key,
  "name" text not null,
  "extension" text not null,
  "size" integer not null,
  "meta" jsonb not null,
  "key" text not null,
  "dateCreate" timestamptz not null default now(),
  "idUser" bigint not null,
  "deleted" boolean not null default false,
  "_deletedAt" timestamptz,
  "_version" integer not null default 1
);

alter table "customers" add constraint "customers_idPhoto_fkey" foreign key ("idPhoto") references "customers_photos" ("id") on delete set null;
alter table "customers_photos" add constraint "customers_photos_idUser_fkey" foreign key ("idUser") references "users" ("id");
create index "customers_idPhoto_idx" on "customers" ("idPhoto") where not "deleted";
create index "customers_photos_name_search_idx" on "customers_photos" using gin ("name" gin_trgm_ops);
create index "customers_photos_idUser_idx" on "customers_photos" ("idUser") where not "deleted";
