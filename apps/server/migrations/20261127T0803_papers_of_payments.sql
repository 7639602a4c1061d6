-- A receipt that no register prints is said on no paper.
update print_templates set "body" = replace("body", '<p>Чек: {{ Чек }}</p>', '<p>{{ если Чек = "Пробит" }}Кассовый чек пробит.{{ конец }}</p>')
  where "entity" = 'payments' and "body" like '%<p>Чек: {{ Чек }}</p>%';

-- What was taken without a register is no fault.
update fiscal_tasks set "status" = 'notConnected', "error" = null
  where "status" = 'failed' and "expectedFd" is null and "error" like 'Касса (ККТ) не подключена%';
