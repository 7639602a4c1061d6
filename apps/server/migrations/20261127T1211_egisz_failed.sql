-- The messages of ЕГИСЗ with errors: a page and its count pass no errors of other exchanges.
create index "exchange_messages_egisz_failed" on "exchange_messages" ("id")
  where "adapter" in ('egisz', 'nsi') and "status" in ('rejected', 'network_error', 'dead');
