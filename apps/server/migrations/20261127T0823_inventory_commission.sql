alter table "warehouse_documents" add column "commission" text;
