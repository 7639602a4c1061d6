-- A cashier sees the desks of the own branches. Whoever manages the clinic, or its money, goes on seeing all of them.
update roles set permissions = permissions || array['viewAllCashDesks']
  where permissions && array['viewCashDesk', 'takePayments', 'refundPayments', 'cashInOut', 'mainSettings']
    and permissions && array['mainSettings', 'editUsers', 'viewKpiReport', 'refundAbove', 'editAccount']
    and not 'viewAllCashDesks' = any (permissions);
insert into user_permissions ("idUser", permission, reason)
  select distinct own."idUser", 'viewAllCashDesks', 'Обновление: кассы других филиалов стали отдельным правом'
  from user_permissions own
  where own.permission in ('mainSettings', 'editUsers', 'viewKpiReport', 'refundAbove', 'editAccount')
    and not exists (select 1 from user_permissions had where had."idUser" = own."idUser" and had.permission = 'viewAllCashDesks')
    and (exists (select 1 from user_permissions more where more."idUser" = own."idUser"
        and more.permission in ('viewCashDesk', 'takePayments', 'refundPayments', 'cashInOut', 'mainSettings'))
      or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole" where ur."idUser" = own."idUser"
        and r.permissions && array['viewCashDesk', 'takePayments', 'refundPayments', 'cashInOut', 'mainSettings']));
