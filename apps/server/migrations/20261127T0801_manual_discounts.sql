-- Standard roles may give a discount by hand: a clinic that has set a percent of its own keeps it.
update roles set "maxDiscount" = x.most
  from (values ('Администратор', 100), ('Руководитель', 20), ('Регистратор', 5)) x(name, most)
  where roles."name" = x.name and roles."isSystem" and roles."maxDiscount" is null
    and not exists (select 1 from roles r where r."maxDiscount" is not null);
