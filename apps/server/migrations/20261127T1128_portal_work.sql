-- The challenge whose work held the time: each one serves once.
alter table portal_bookings add column "work" text;
create unique index "portal_bookings_work_key" on portal_bookings ("work");
