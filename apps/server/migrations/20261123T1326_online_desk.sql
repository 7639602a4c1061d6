-- Patients pay through the terminal of this desk by themselves.
alter table "cash_desks" add column "isOnline" boolean not null default false;
alter table "payments" alter column "idAuthor" drop not null;
