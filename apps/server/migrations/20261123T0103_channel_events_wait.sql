-- An event that something passing has stopped is looked at again: how often it was, and not before when.
alter table "live_assist_channel_events" add column "tries" integer not null default 0;
alter table "live_assist_channel_events" add column "dateAgain" timestamptz;
