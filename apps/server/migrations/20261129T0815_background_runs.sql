-- The process that works on a background run, its tries since the last progress, and what the work needs besides the
-- record (records/run.ts).
create table background_runs (
  "job" text not null,
  "idEntity" bigint not null,
  "life" uuid,
  "claimedUntil" timestamptz,
  "tries" integer not null default 0,
  "data" jsonb,
  primary key ("job", "idEntity")
);
create index "background_runs_life_idx" on background_runs ("life");
