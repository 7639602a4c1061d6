-- Shifts that stand side by side go to other moments together: whether they meet is asked at the end of the statement.
alter table "staff_events" drop constraint "staff_events_shifts_excl";
alter table "staff_events" add constraint "staff_events_shifts_excl" exclude using gist
  ("idUser" with =, tstzrange("dateFrom", "dateTo") with &&) where ("type" = 'shift' and not "deleted") deferrable;
