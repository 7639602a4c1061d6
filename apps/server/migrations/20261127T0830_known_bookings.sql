-- Whoever books is known: the phone is confirmed, or a patient is signed in. A hold of anybody else gives way to the desk.
alter table portal_bookings add column "isKnown" boolean not null default false;
update portal_bookings set "isKnown" = true where "phone" is not null;
