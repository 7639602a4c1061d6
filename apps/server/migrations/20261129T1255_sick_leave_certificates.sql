-- The certificate of a signature travels with it (wsse:BinarySecurityToken). Signatures before this one were CMS and are stale.
alter table "eln_signatures" add column "certificate" bytea;
