alter table "appointments_reminders" alter column "phone" drop not null;
alter table "appointments_reminders" add column "email" text;
alter table "appointments_reminders" add column "channel" text;
alter table "appointments_reminders" add column "tried" text[] not null default '{}';
alter table "appointments_reminders" add column "idMessage" bigint;
alter table "appointments_reminders" add constraint "appointments_reminders_idMessage_fkey" foreign key ("idMessage") references "live_assist_messages" ("id") on delete set null;
create index "appointments_reminders_idMessage_idx" on "appointments_reminders" ("idMessage");
-- What has gone out until now has gone by a text message.
update "appointments_reminders" set "channel" = 'sms' where "status" = 'accepted';
-- Answers that come by a chat are looked for of these.
create index "appointments_reminders_told_idx" on "appointments_reminders" ("id")
  where "channel" = 'messenger' and "status" in ('accepted', 'unknown') and "reply" is null;
