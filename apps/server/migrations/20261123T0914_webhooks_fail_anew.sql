-- When a webhook last failed: what failed before a long quiet time did not fail all that time.
alter table "webhook_states" add column "dateFailed" timestamptz;
