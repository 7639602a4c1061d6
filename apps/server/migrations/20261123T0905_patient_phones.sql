-- A session that a code has opened is of the phone it came to, and ends when the card has another.
alter table portal_sessions add column "phone" text;
update portal_sessions s set "phone" = c."phone" from customers c where c."id" = s."idCustomer" and s."idLink" is null;
