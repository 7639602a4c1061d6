-- Who got no letter of the last sending of a mailing, in words.
alter table reports_mailings add column "missed" text;
