-- The report on accounts finds the days of a period.
create index ledger_txs_day_idx on ledger_txs ("localDate");
