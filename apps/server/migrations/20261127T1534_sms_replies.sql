-- What a patient answers to a text message stands beside it.
alter table "messages" add column "reply" text, add column "dateReply" timestamptz;
create index messages_sms_phone_idx on "messages" ("phone", "id") where "channel" = 'sms';
