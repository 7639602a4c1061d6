-- A receipt carries no code of a marked pack, and a register refuses this subject without one.
update "services" set "paymentSubject" = 1 where "paymentSubject" = 33;
