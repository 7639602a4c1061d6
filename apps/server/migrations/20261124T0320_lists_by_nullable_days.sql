-- Lists by a field that may be empty put what has none at the end of both orders: an index that has it first is read by none.
drop index "live_assist_dateLast";
create index "live_assist_dateLast" on "live_assist" ("dateLast" desc nulls last, "id" desc) where not "deleted";
drop index "live_assist_status_dateLast";
create index "live_assist_status_dateLast" on "live_assist" ("status", "dateLast" desc nulls last, "id" desc) where not "deleted";
drop index "service_online_dateLast_idx";
create index "service_online_dateLast_idx" on "service_online" ("dateLast" desc nulls last, "id" desc) where not "deleted";
drop index news_feed_idx;
create index news_feed_idx on news ("isPinned" desc, "dateActive" desc nulls last, "id" desc) where "active" and not "deleted";
drop index "news_on_site_idx";
create index "news_on_site_idx" on "news" ("dateActive" desc nulls last, "id" desc) where "isOnSite" and "active" and not "deleted";
