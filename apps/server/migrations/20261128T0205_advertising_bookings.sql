-- The report of advertising joins the visits of a period to their bookings: without this index it reads the whole history
-- of conversions.
create index advertising_conversions_booking_idx on advertising_conversions ("idAppointment") include ("idFirst", "idLast", "idFilial") where "kind" = 'booking';
