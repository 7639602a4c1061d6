/** The exchange of the demo clinic: editions with our templates, dictionaries to load, documents in every state. */
import { EgiszEdition, EgiszRule, NsiDictionary } from '@ordinator/model/areas/egisz/setUp'
import { ExaminationTemplate } from '@ordinator/model/areas/examinations/template'
import sql from 'sql-template-tag'
import type { Area } from '#records/area.ts'

const editions = [
  [
    '119',
    'Протокол консультации (CDA) Редакция 4',
    '5',
    'Протокол консультации',
    '1.2.643.5.1.13.2.7.5.1.5.9.4',
    'consultation',
  ],
  [
    '186',
    'Протокол лабораторного исследования (CDA) Редакция 5',
    '7',
    'Протокол лабораторного исследования',
    '1.2.643.5.1.13.13.14.7.9.5',
    'laboratory',
  ],
  [
    '193',
    'Справка об оплате медицинских услуг (CDA) Редакция 2',
    '52',
    'Справка об оплате медицинских услуг для представления в налоговые органы Российской Федерации',
    '1.2.643.5.1.13.13.14.52.9.2',
    'taxCertificate',
  ],
] as const
const dictionaries = [
  ['1.2.643.5.1.13.13.11.1520', 'Электронные медицинские документы'],
  ['1.2.643.5.1.13.13.11.1522', 'Виды медицинской документации'],
  ['1.2.643.5.1.13.13.11.1002', 'Должности медицинских и фармацевтических работников'],
  ['1.2.643.5.1.13.13.11.1005', 'МКБ-10'],
  ['1.2.643.5.1.13.13.11.1070', 'Номенклатура медицинских услуг'],
  ['1.2.643.5.1.13.13.11.1080', 'ФСЛИ: лабораторные тесты'],
] as const

export const demo: NonNullable<Area['demo']> = async (records, _app, tx) => {
  const system = records.asSystem
  // The demo clinic sends nothing; signatures are made by the simulator.
  await tx.query(sql`insert into common_settings (name, value, version) values
    ('egiszOid', '"1.2.643.5.1.13.13.12.2.63.9999"', 1), ('signaturePlugin', '"simulator"', 1) on conflict do nothing`)
  for (const [code, name, typeCode, typeName, templateId, ready] of editions)
    await system.create(EgiszEdition, { code, name, typeCode, typeName, templateId, ready })
  // Examinations of the clinic's doctors become consultation protocols.
  for (const { id } of await system.rows(ExaminationTemplate, { fields: 'id', limit: '200' }))
    await system.update(ExaminationTemplate, id, { semdKind: 'Протокол консультации' })
  for (const [oid, name] of dictionaries) await system.create(NsiDictionary, { oid, name })
  await system.create(EgiszRule, {
    source: 'schematron',
    code: 'У1-28',
    severity: 'warning',
    reason: 'Много противоречий с контрольными примерами Минздрава',
  })
  // The latest signed examinations as documents: most registered, some in transit, a few refused.
  await tx.query(sql`
    with picked as (
      select e.*, row_number() over (order by e."dateSigned" desc, e."id" desc) as n, a."idFilial",
        (select k."id" from egisz_documents k where k."kind" = 'consultation' and not k."deleted" limit 1) as kind
      from examinations e left join appointments a on a."id" = e."idAppointment"
      where e."status" = 'signed' and not e."deleted" order by e."dateSigned" desc, e."id" desc limit 60),
    made as (
      insert into egisz_semds ("title", "idKind", "source", "idSource", "idExamination", "idCustomer", "idUser", "idFilial", "localUid",
        "setUid", "status", "findings", "errorCount", "error", "emdrId", "dateDocument", "dateSignedDoctor", "dateSignedOrg", "dateSent",
        "dateAnswered", "dateRegistered", "dueRole")
      select p."name", p.kind, 'examinations', p."id", p."id", p."idCustomer", p."idUser", p."idFilial", gen_random_uuid()::text,
        gen_random_uuid()::text, s.status, case when s.status = 'rejected' then ${JSON.stringify([
          {
            source: 'register',
            severity: 'error',
            code: 'STAFF_NOT_FOUND',
            message: 'Медицинский работник не найден в ФРМР',
            mend: 'Проверьте врача и его должность в ФРМР',
            link: '/settings/egisz-staff',
          },
        ])}::jsonb when s.status = 'draft' then ${JSON.stringify([
          {
            source: 'data',
            severity: 'error',
            code: 'patient.snils',
            message: 'Не заполнено: СНИЛС клиента',
            mend: 'Заполните: СНИЛС клиента',
            link: '/customers',
          },
          {
            source: 'data',
            severity: 'error',
            code: 'org.oid',
            message: 'Не заполнено: ОИД организации',
            mend: 'Заполните: ОИД организации',
            link: '/settings/egisz',
          },
        ])}::jsonb else '[]'::jsonb end,
        case s.status when 'rejected' then 1 when 'draft' then 2 else 0 end,
        case s.status when 'rejected' then 'STAFF_NOT_FOUND: Медицинский работник не найден в ФРМР' when 'network' then 'Не ответил вовремя' end,
        case when s.status = 'registered' then '77.26.11.' || lpad((481200 + p.n)::text, 9, '0') end, p."dateSigned",
        case when s.status not in ('draft', 'validated') then p."dateSigned" + interval '20 minutes' end,
        case when s.status not in ('draft', 'validated', 'signedDoctor') then p."dateSigned" + interval '2 hours' end,
        case when s.status in ('registered', 'rejected', 'accepted', 'network') then p."dateSigned" + interval '2 hours 1 minute' end,
        case when s.status in ('registered', 'rejected') then p."dateSigned" + interval '2 hours 1 minute' + make_interval(secs => 14 + p.n * 3 % 40) end,
        case when s.status = 'registered' then p."dateSigned" + interval '2 hours 1 minute' + make_interval(secs => 14 + p.n * 3 % 40) end,
        case s.status when 'validated' then 'doctor' when 'signedDoctor' then 'organization' end
      from picked p cross join lateral (select case when p.n <= 3 then 'draft' when p.n <= 7 then 'validated' when p.n <= 10 then 'signedDoctor'
        when p.n = 11 then 'network' when p.n <= 13 then 'accepted' when p.n % 9 = 0 then 'rejected' else 'registered' end as status) s
      where p.kind is not null
      returning *)
    insert into egisz_operations ("dateCreate", "operation", "idSemd", "title", "idCustomer", "idUser", "idFilial", "status", "emdrId",
      "errorCode", "error", "seconds")
    select m."dateSent", 'register', m."id", m."title", m."idCustomer", m."idUser", m."idFilial",
      case m."status" when 'registered' then 'done' when 'rejected' then 'rejected' when 'network' then 'network' else 'accepted' end,
      m."emdrId", case when m."status" = 'rejected' then 'STAFF_NOT_FOUND' end, m."error",
      case when m."dateAnswered" is not null then extract(epoch from m."dateAnswered" - m."dateSent")::int end
    from made m where m."dateSent" is not null order by m."dateSent"`)
  // Makes the remaining ones signable: each has a body, and those waiting for the clinic's signature have the doctor's.
  await tx.query(sql`insert into egisz_semd_contents ("idSemd", "body")
    select s."id", convert_to('<?xml version="1.0" encoding="UTF-8"?>' || xmlelement(name "ClinicalDocument", xmlattributes('urn:hl7-org:v3' as xmlns),
      xmlelement(name id, xmlattributes(s."localUid" as extension)), xmlelement(name title, s."title"),
      xmlelement(name "setId", xmlattributes(s."setUid" as extension)), xmlelement(name component, 'Пример демонстрации'))::text, 'UTF8')
    from egisz_semds s where s."status" <> 'draft'`)
  await tx.query(sql`insert into egisz_signatures ("idSemd", "role", "idUser", "owner", "thumbprint", "kind", "state", "words", "date", "body")
    select s."id", r.role, case r.role when 'doctor' then s."idUser" end, case r.role when 'doctor' then concat_ws(' ', u."surname", u."name") else 'Клиника' end,
      '', 'test', 'unknown', 'Пример демонстрации: не проверено', r.moment, convert_to('ТЕСТОВАЯ ПОДПИСЬ', 'UTF8')
    from egisz_semds s left join users u on u."id" = s."idUser"
    cross join lateral (values ('doctor', s."dateSignedDoctor"), ('organization', s."dateSignedOrg")) r(role, moment)
    where r.moment is not null order by s."id", r.role`)
  await tx.query(sql`insert into egisz_events ("dateCreate", "kind", "level", "text", "idSemd")
    select o."dateCreate" + make_interval(secs => coalesce(o."seconds", 1)), 'callback',
      case o."status" when 'rejected' then 'error' when 'network' then 'warning' else 'info' end,
      case o."status" when 'done' then 'Документ зарегистрирован под номером ' || o."emdrId" when 'rejected' then 'Документ отклонён: ' || o."error"
        when 'network' then 'Документ не отправлен, повторим: ' || o."error" else 'Документ принят РЭМД, ждём регистрации' end, o."idSemd"
    from egisz_operations o order by o."dateCreate"`)
  // The reply to each operation, and the later result of the register.
  await tx.query(sql`insert into exchange_messages ("dateCreate", "adapter", "direction", "operation", "entityType", "idEntity",
      "correlationId", "status", "attempts", "dateLast", "durationMs", "errorCode", "errorText")
    select * from (
      select o."dateCreate", 'egisz', 'out', 'Регистрация ЭМД', 'egisz/semds', o."idSemd", s."localUid",
        case o."status" when 'network' then 'network_error' else o."status" end, case when o."id" % 11 = 0 or o."status" = 'network' then 3 else 1 end,
        o."dateCreate", (180 + o."id" * 37 % 900)::int, case when o."status" = 'network' then 'timeout' else o."errorCode" end, o."error"
      from egisz_operations o join egisz_semds s on s."id" = o."idSemd"
      union all
      select o."dateCreate" + make_interval(secs => o."seconds"), 'egisz', 'in', 'Ответ о регистрации', 'egisz/semds', o."idSemd",
        s."localUid", 'done', 1, o."dateCreate" + make_interval(secs => o."seconds"), (6 + o."id" * 7 % 40)::int, null, null
      from egisz_operations o join egisz_semds s on s."id" = o."idSemd" where o."status" in ('done', 'rejected')) m order by 1`)
}
