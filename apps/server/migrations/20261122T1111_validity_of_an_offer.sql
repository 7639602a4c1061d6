-- The last day of an offer's prices.
alter table sales_management_offers add column "dateValid" date;
