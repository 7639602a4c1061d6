create index "appointments_note_search_idx" on "appointments" using gin ("note" gin_trgm_ops);
create index "appointments_localDate_idx" on "appointments" ("localDate", "id") where not "deleted";
