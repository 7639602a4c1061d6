-- Once, on the primary, as its superuser: the role and the database of the servers.
create role ordinator login password '${PASSWORD}';
create database ordinator owner ordinator template template0 encoding 'UTF8'
  locale_provider icu icu_locale 'ru-RU' locale 'C.UTF-8';
