-- How far back the demo clinic's past is made.
alter table demo_clinic add column "yearsFrom" date, add column "years" boolean not null default false;
