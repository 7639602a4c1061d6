-- In a clinic «Администратор» is the receptionist: the role of all rights is called by what it gives.
update "roles" set "name" = 'Полный доступ' where "isSystem" and "name" = 'Администратор'
  and not exists (select from "roles" where "name" = 'Полный доступ');
