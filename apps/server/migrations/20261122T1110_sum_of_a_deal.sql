-- Whether somebody has set the sum of a deal by hand; else it follows the accepted services of its offers.
alter table sales_management_leads add column "isPriceByHand" boolean not null default false;
update sales_management_leads set "isPriceByHand" = true where "price" is not null;
