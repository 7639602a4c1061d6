-- Where a norm is taken from; empty: it is the laboratory's own.
alter table "laboratory_norms" add column "source" text;
