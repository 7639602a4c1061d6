-- Up to which message a device of a patient has shown what went by push.
alter table portal_devices add column "idTold" bigint;
