-- The thread of a patient goes back along these.
create index "consents_thread_idx" on "consents" ("idCustomer", "dateCreate", "id") where not "deleted";
create index "calls_thread_idx" on "calls" ("idCustomer", "dateCreate", "id");
create index "live_assist_thread_idx" on "live_assist" ("idCustomer", "dateCreate", "id") where not "deleted";
