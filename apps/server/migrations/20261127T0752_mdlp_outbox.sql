-- Documents of МДЛП go through the outbox and leave signed; a sign-in is shared by the processes of the server.
alter table mdlp_bodies add column "signature" text;
create table mdlp_sessions (
  "key" text primary key,
  "token" text not null,
  "dateUntil" timestamptz not null
);
drop index mdlp_documents_waiting_idx;
-- What was queued by the old exchange has no signature yet.
update mdlp_documents set "status" = 'draft' where "status" = 'queued';
update mdlp_documents set "status" = 'processing' where "status" = 'sent';
create index mdlp_documents_waiting_idx on mdlp_documents ("status")
  where "status" in ('incoming', 'draft', 'device', 'queued', 'processing', 'stuck');
