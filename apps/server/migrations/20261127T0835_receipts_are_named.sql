-- The paper of a payment is called by its name.
update print_templates set "body" = replace("body", '<h2>{{ Вид }} № {{ № }}',
    '<h2>{{ если Вид = "Возврат" }}Расходная квитанция{{ иначе }}Квитанция{{ конец }} № {{ № }}')
  where "entity" = 'payments' and "name" = 'Квитанция об оплате';
