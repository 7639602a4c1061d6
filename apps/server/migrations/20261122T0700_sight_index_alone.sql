-- A count along the kept sights asks of each row whether an earlier card shows the same task: with the card's number in
-- the index no row of the table is read for it.
drop index tasks_management_sights_principal_idx;
create index tasks_management_sights_principal_idx on tasks_management_sights ("principal", "idColumn")
  include ("idTask", "idAssigned", "isAgain") where not "isGone" and not "deleted";
