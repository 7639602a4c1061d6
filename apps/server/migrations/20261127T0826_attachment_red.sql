-- From which moment an application is urgent, by the working calendar.
alter table "attachment_applications" add column "redAt" timestamptz;
