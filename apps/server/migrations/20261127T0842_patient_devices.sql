-- By what a patient knows a session of theirs in the list of them.
alter table portal_sessions add column "userAgent" text;
