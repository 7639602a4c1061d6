-- What the journals of ЕГИСЗ are filtered by, so that they cost the same however long they grow.
create index "egisz_operations_date" on "egisz_operations" ("dateCreate");
create index "egisz_operations_status" on "egisz_operations" ("status", "id");
create index "egisz_events_date" on "egisz_events" ("dateCreate");
create index "egisz_events_level" on "egisz_events" ("level", "id") where "level" <> 'info';
create index "exchange_messages_of" on "exchange_messages" ("adapter", "id");
