-- Recordings that a cloud exchange has told of, each fetched once: later than the call, and again where it was not there yet.
create table "cloud_recordings" (
  "provider" text not null,
  "recording" text not null,
  "entry" text not null,
  "status" text not null default 'waiting' check ("status" in ('waiting', 'done', 'failed')),
  "attempts" int not null default 0,
  "dateNext" timestamptz not null default now(),
  "error" text,
  "dateCreate" timestamptz not null default now(),
  primary key ("provider", "recording")
);
create index "cloud_recordings_dateNext_idx" on "cloud_recordings" ("dateNext") where "status" = 'waiting';
