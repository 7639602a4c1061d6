-- Existing rows are checked without stopping writes.
alter table "appeals" validate constraint "appeals_idReferrer_fkey";
alter table "appointments" validate constraint "appointments_idReferrer_fkey";
