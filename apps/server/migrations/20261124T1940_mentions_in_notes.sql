alter table "live_assist_notes" add column "mentions" bigint[] not null default '{}';
