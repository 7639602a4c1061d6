-- All chats by their last word, and the journal from the latest: read along an index, however many there are.
create index "live_assist_dateLast" on "live_assist" ("dateLast" desc, "id" desc) where not "deleted";
create index "live_assist_dateCreate" on "live_assist" ("dateCreate" desc, "id" desc) where not "deleted";
