-- What each server process does, and how many connections it may open: for «Состояние системы».
alter table server_lives
  add column role text not null default 'all',
  add column connections int not null default 0;
