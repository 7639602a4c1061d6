-- What the lists and the reports of ЕГИСЗ ask for, so that they cost the same however long the journals grow.
create index "egisz_semds_date" on "egisz_semds" ("dateDocument");
create index "egisz_semds_source" on "egisz_semds" ("source", "idSource");
create index "egisz_semds_awaiting" on "egisz_semds" ("dateSent") where "status" = 'accepted';
create index "egisz_semds_due" on "egisz_semds" ("dueRole", "id") where "dueRole" is not null;
create index "egisz_operations_date" on "egisz_operations" ("dateCreate");
create index "egisz_operations_status" on "egisz_operations" ("status", "id");
create index "egisz_events_date" on "egisz_events" ("dateCreate");
create index "egisz_events_level" on "egisz_events" ("level", "id") where "level" <> 'info';
create index "exchange_messages_of" on "exchange_messages" ("adapter", "id");
