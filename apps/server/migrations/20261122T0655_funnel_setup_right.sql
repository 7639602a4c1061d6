-- Setting up funnels is a right of its own. It goes to who could do it until now and manages the clinic.
update roles set permissions = permissions || array['editFunnels']
  where 'editSalesManagement' = any (permissions) and permissions && array['mainSettings', 'editUsers', 'viewKpiReport']
    and not 'editFunnels' = any (permissions);
insert into user_permissions ("idUser", permission, reason)
  select own."idUser", 'editFunnels', 'Обновление: настройка воронок отделена от изменения сделок'
  from user_permissions own where own.permission = 'editSalesManagement' and (
    exists (select 1 from user_permissions more where more."idUser" = own."idUser"
      and more.permission in ('mainSettings', 'editUsers', 'viewKpiReport'))
    or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole" where ur."idUser" = own."idUser"
      and r.permissions && array['mainSettings', 'editUsers', 'viewKpiReport']));
