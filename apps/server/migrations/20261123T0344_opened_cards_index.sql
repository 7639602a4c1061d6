-- Each line of the journal on a patient asks for what reason the card was opened: of all lines that say so, few do.
create index "access_log_open" on access_log ("idCustomer", "idUser", dt) where action = 'open';
