-- The wrap-up of a call ends when whoever talked is ready for the next one.
alter table "calls" add column "dateReady" timestamptz;
create index "calls_wrapping_idx" on "calls" ("idUser", "dateEnd") where "dateReady" is null;
