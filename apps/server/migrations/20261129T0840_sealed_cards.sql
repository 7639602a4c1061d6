-- Restricted cards are few: every record that refers to a card is checked against them.
create index "customers_sealed_idx" on "customers" ("id") where "secretLevel" <> 'none';
