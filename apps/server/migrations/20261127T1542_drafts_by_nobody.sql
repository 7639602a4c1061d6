alter table "appeals" alter column "idUser" drop not null;
