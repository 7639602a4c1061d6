-- A server process counts its beats here. When it dies, the others release what it has claimed in the name of its life.
create table server_lives ("id" uuid primary key, "beat" bigint not null);
alter table fiscal_printers add column "life" uuid;
alter table terminal_operations add column "life" uuid;
alter table payment_link_states add column "life" uuid;
alter table outbox add column "life" uuid;
