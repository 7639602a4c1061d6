alter table "examination_templates" add column "forPatient" boolean not null default false;
