-- no transaction
create index concurrently if not exists "appointments_idReferrer_idx" on "appointments" ("idReferrer") where not "deleted";
