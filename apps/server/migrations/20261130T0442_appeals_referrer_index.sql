-- no transaction
create index concurrently if not exists "appeals_idReferrer_idx" on "appeals" ("idReferrer") where not "deleted";
