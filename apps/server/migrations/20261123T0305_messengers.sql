alter table "live_assist_channels" add column "idIntake" bigint;
alter table "live_assist_channels" add constraint "live_assist_channels_idIntake_fkey" foreign key ("idIntake") references "news_intakes" ("id") on delete set null;
create index "live_assist_channels_idIntake_idx" on "live_assist_channels" ("idIntake") where not "deleted";

-- What a messenger wants to read at our address before it believes that it is ours.
alter table "live_assist_channel_secrets" add column "confirmation" text;

-- A message brings several files: what waits is told so too.
update "live_assist_channel_events"
  set "body" = ("body" - 'file') || jsonb_build_object('files', case when "body" ? 'file' then jsonb_build_array("body" -> 'file') else '[]' end)
  where "dateDone" is null;
