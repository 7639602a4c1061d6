-- Chats of channels by when something was said in them: what is still to go out is looked for among the newest.
create index "live_assist_channel_recent" on "live_assist" ("dateLast") where "idChannel" is not null and not "deleted";
