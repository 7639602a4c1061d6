-- The messages with errors, the newest first.
create index "exchange_messages_failed" on "exchange_messages" ("id") where "status" in ('rejected', 'network_error', 'dead');
