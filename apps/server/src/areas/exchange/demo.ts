/** Two months of exchange, and two disabled webhooks, so that the demo clinic sends nothing. */
import { EgiszDocument, EgiszStaff } from '@ordinator/model/areas/exchange/egisz'
import { Mapping } from '@ordinator/model/areas/exchange/mapping'
import { Webhook } from '@ordinator/model/areas/exchange/webhook'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { User } from '@ordinator/model/areas/staff/user'
import sql from 'sql-template-tag'
import type { Area } from '#records/area.ts'
import type { Records } from '#records/records.ts'

const accounting = {
  name: '1С: бухгалтерия',
  url: 'https://1c.volga-doctor.example/hooks/clinic',
  events: ['appointments.create', 'appointments.update', 'payments.create'],
  active: false,
}
const site = {
  name: 'Сайт: расписание',
  url: 'https://volga-doctor.example/api/schedule',
  events: ['appointments.create', 'appointments.update', 'appointments.delete'],
  active: false,
}

/** Codes for the state exchange: editions of the register, a doctor with a post, codes of 1С. */
async function demoCodes(records: Records): Promise<void> {
  const system = records.asSystem
  const from = { dateFrom: '2026-01-01' }
  await system.create(EgiszDocument, { ...from, kind: 'consultation', code: '119', edition: 4 })
  await system.create(EgiszDocument, { ...from, kind: 'laboratory', code: '186', edition: 5, moment: 'night' })
  await system.create(EgiszDocument, { ...from, kind: 'taxCertificate', code: '193', edition: 2, moment: 'hand' })
  const doctors = await system.rows(User, { 'filter[post][ilike]': 'врач', sort: 'id', limit: '3' })
  for (const { id, post } of doctors)
    await system.create(EgiszStaff, { idUser: id, post: '109', postName: post, frmr: 'found', dateFrmr: '2026-10-05' })
  for (const [at, { id, nameFilial }] of (await system.rows(Filial, { sort: 'id' })).entries())
    await system.create(Mapping, { system: 'accounting', idFilial: id, code: `00-00000${at + 1}`, name: nameFilial })
}

export const demo: NonNullable<Area['demo']> = async (records, _app, tx) => {
  await demoCodes(records)
  const [own, failing] = [
    await records.asSystem.create(Webhook, accounting),
    await records.asSystem.create(Webhook, site),
  ]
  await tx.query(sql`insert into webhook_states ("idWebhook", "dateSuccess", "offReason") values
    (${own.id}, now() - interval '1 day', null),
    (${failing.id}, now() - interval '9 days', 'Не принимал события дольше 3 дней')`)
  // Daily messages of each system; each eleventh failed, and of the site's webhook the latest are pending.
  await tx.query(sql`
    with made as (
      insert into exchange_messages ("dateCreate", "dateLast", "adapter", "operation", "entityType", "idEntity", "idWebhook",
        "idempotencyKey", "status", "attempts", "errorCode", "errorText", "durationMs")
      select at, at + interval '1 second', k.adapter, k.operation, k.path, case when k.path is not null then n end, k.webhook,
        'demo-' || n, case when k.webhook = ${failing.id} and n > 230 then 'dead' when n % 11 = 0 then k.failed else k.done end,
        case when k.webhook = ${failing.id} and n > 230 then 6 when n % 11 = 0 then 2 else 1 end,
        case when k.webhook is null then null when k.webhook = ${failing.id} and n > 230 then '502' else '200' end,
        case when k.webhook = ${failing.id} and n > 230 then 'Ответ 502' when n % 11 = 0 and k.failed <> k.done then k.error end,
        40 + n * 37 % 400
      from generate_series(1, 240) n
      cross join lateral (select now() - make_interval(hours => (240 - n) * 6 + 1) as at) t
      join (values
        (0, 'webhooks', 'appointments.create', 'appointments', ${own.id}::bigint, 'done', 'done', null),
        (1, 'sms', 'Код подписи', null, null, 'accepted', 'rejected', 'Шлюз отказал'),
        (2, 'telegram', 'Ответ в чате', null, null, 'done', 'network_error', 'Неизвестно, дошло ли: Telegram не ответил'),
        (3, 'mail', 'Письмо о непрочитанном', null, null, 'done', 'network_error', 'Почта не приняла письмо сейчас'),
        (4, 'webhooks', 'appointments.update', 'appointments', ${failing.id}::bigint, 'done', 'done', null)
      ) k(turn, adapter, operation, path, webhook, done, failed, error) on k.turn = n % 5
      returning "id", "idWebhook", "operation", "entityType", "idEntity", "status", "dateCreate"
    )
    insert into exchange_bodies ("idMessage", "request", "response")
    select "id", json_build_object('id', "id"::text, 'event', "operation", 'dt', "dateCreate",
      'data', json_build_object('path', "entityType", 'id', "idEntity", 'idParent', null, 'version', 1, 'fields', '{}'::text[]))::text,
      case when "status" = 'dead' then '<html><title>502 Bad Gateway</title></html>' else 'ok' end
    from made where "idWebhook" is not null`)
}
