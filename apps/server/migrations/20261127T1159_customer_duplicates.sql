-- Why a second card or policy with the same number was made.
alter table "customers" add column "duplicateReason" text;
alter table "customers_policies" add column "duplicateReason" text;
-- The thread of a card tells of the cards that were joined to it.
create index "customers_merges_thread_idx" on "customers_merges" ("idKept", "dateCreate" desc, "id" desc);
