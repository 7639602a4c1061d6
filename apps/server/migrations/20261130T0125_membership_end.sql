-- Ready and off, as the other words to patients are.
insert into "message_templates" ("name", "event", "channel", "text", "delay", "delayUnit", "advertising", "active", "dateActive") values
  ('Абонемент заканчивается', 'membership', null, 'Ваш абонемент «{абонемент}» действует по {действует по}[, осталось {осталось}]. Запишитесь, чтобы успеть[: {ссылка}]', 0, 'days', false, false, null);
