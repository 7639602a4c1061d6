-- Why a second card or policy with the same number was made.
alter table "customers" add column "duplicateReason" text;
alter table "customers_policies" add column "duplicateReason" text;
