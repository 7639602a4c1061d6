alter table "consents_requests" alter column "idUser" drop not null;
