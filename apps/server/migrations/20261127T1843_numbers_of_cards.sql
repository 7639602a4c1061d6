-- An import finds the cards that have the numbers of its rows already.
create index customers_inn_idx on customers ("inn") where "inn" is not null;
create index customers_document_idx on customers ("numberPassport") where "numberPassport" is not null;
create index customers_card_number_idx on customers ("cardNumber") where "cardNumber" is not null;
