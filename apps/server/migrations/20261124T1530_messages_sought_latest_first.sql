drop index "live_assist_messages_message_search_idx";
create index "live_assist_messages_message_search_idx" on "live_assist_messages" using gin ((array[("id" >> 11) * 3 + 0, ("id" >> 14) * 3 + 1, ("id" >> 17) * 3 + 2]), "message" gin_trgm_ops) with (gin_pending_list_limit = 256);
