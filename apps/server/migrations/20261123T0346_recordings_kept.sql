-- What a term of keeping asks: the oldest recordings, whose file they share, the oldest chats of the archive.
create index "calls_recorded" on "calls" ("dateCreate") where "fileLink" is not null;
create index "calls_fileLink_idx" on "calls" ("fileLink") where "fileLink" is not null;
create index "live_assist_archived" on "live_assist" ("dateCreate") where "status" = 'archive' and not "deleted";
