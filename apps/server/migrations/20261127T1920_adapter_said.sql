-- What an outside system has said of itself at the last check: the rest of an account.
alter table adapter_states add column "said" text;
