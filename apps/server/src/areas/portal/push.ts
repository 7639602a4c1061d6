/**
 * Push devices of patients. A push has no content: a woken device requests, with its own session, the messages sent
 * this way. For an answer in a dialogue it only shows that there is one.
 */
import { Message } from '@ordinator/model/areas/messages/message'
import { portalCalls } from '@ordinator/model/areas/portal/calls'
import sql from 'sql-template-tag'
import { devicesOf, pushedSql, stillSql, wakeDevice } from '#areas/messages/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { ValidationError } from '#platform/errors.ts'
import { PUSH_KEPT, pushKey } from '#platform/webPush.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { patientCall } from './sessions.ts'

const JOB = 'portal.push'
/** Maximum number of devices per patient; a new one replaces the oldest. */
const MOST_DEVICES = 5
/** Seconds an answer must stay undelivered before a push: an open dialogue needs none. */
const PATIENCE = 15
const AT_ONCE = 200

const device = patientCall(portalCalls.device, async ({ app }) => ({ key: pushKey(app.config.secret) }))

/** An endpoint must belong to a browser vendor: any other address would let a stranger direct our server's requests. */
function mustBeMakers({ config }: AppContext, endpoint: string): void {
  const { hostname } = new URL(endpoint)
  const isOne = (host: string) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host)
  if (!config.pushHosts.some(isOne))
    throw new ValidationError([
      { field: 'endpoint', message: 'Этот браузер присылает уведомления через неизвестный сервер' },
    ])
}

const sendDevice = patientCall(portalCalls.sendDevice, async ({ app, patient, body: { endpoint } }) => {
  mustBeMakers(app, endpoint)
  const { idCustomer, idSession } = patient
  await app.engine.for(systemActor).tx(async (_own, tx) => {
    // A device belongs to the last patient who signed in on it.
    await tx.query(sql`insert into portal_devices ("idCustomer", "idSession", "endpoint")
      values (${idCustomer}, ${idSession}, ${endpoint})
      on conflict ("endpoint") do update set "idCustomer" = excluded."idCustomer", "idSession" = excluded."idSession",
        "dateCreate" = now()`)
    await tx.query(sql`delete from portal_devices where "id" in (select "id" from portal_devices
      where "idCustomer" = ${idCustomer} order by "id" desc offset ${MOST_DEVICES})`)
  })
})

const dropDevice = patientCall(portalCalls.dropDevice, async ({ app, patient, body: { endpoint } }) => {
  await app.db.query(
    sql`delete from portal_devices where "endpoint" = ${endpoint} and "idCustomer" = ${patient.idCustomer}`,
  )
})

/** Maximum number of messages shown at a wake-up; older ones are outdated. */
const MOST_NEWS = 3

/** Push messages not shown on this device yet; they count as delivered now. */
const news = patientCall(portalCalls.news, async ({ app, patient, body: { endpoint } }) => {
  const { clinicName } = await readCommonSettings(app.db)
  const items = await app.engine.for(systemActor).tx(async (own, tx) => {
    const device = await tx.one<{ id: number }>(sql`select "id"::int as id from portal_devices
      where "endpoint" = ${endpoint} and "idCustomer" = ${patient.idCustomer} for update`)
    if (!device) return []
    const found = await tx.query<{ id: number; text: string; status: string }>(sql`
      select m."id"::int as id, m."text", m."status" from portal_devices d join messages m on m."idCustomer" = d."idCustomer"
        and m."id" > coalesce(d."idTold", 0) and m."dateSent" >= d."dateCreate"
        and m."dateSent" > now() - make_interval(secs => ${PUSH_KEPT}) and ${pushedSql} and m."text" <> ''
      join customers p on p."id" = m."idCustomer" left join appointments a on a."id" = m."idAppointment"
      where d."id" = ${device.id} and ${stillSql} order by m."id" desc limit ${MOST_NEWS}`)
    const [newest] = found
    if (!newest) return []
    await tx.query(sql`update portal_devices set "idTold" = ${newest.id} where "id" = ${device.id}`)
    const dateDelivered = new Date().toISOString()
    for (const { id, status } of found)
      if (status !== 'delivered') await own.asSystem.update(Message, id, { status: 'delivered', dateDelivered })
    return found.map(({ id, text }) => ({ id, text })).toReversed()
  })
  return { clinic: clinicName, items }
})

/** Undelivered answers: each is announced once, whatever the result. */
async function pushAnswers(app: AppContext): Promise<void> {
  const answered = await app.db.query<{ idCustomer: number }>(sql`
    insert into portal_told as t ("idDialog", "no")
    select d."id", d."outCount" from service_online d
    where d."outCount" > d."readOut" and d."outCount" > d."deliveredOut" and not d."deleted"
      and d."dateLast" < now() - make_interval(secs => ${PATIENCE})
      and exists (select 1 from portal_devices s where s."idCustomer" = d."idCustomer")
      and not exists (select 1 from portal_told n where n."idDialog" = d."id" and n."no" >= d."outCount")
    order by d."id" limit ${AT_ONCE}
    on conflict ("idDialog") do update set "no" = excluded."no" where t."no" < excluded."no"
    returning (select d."idCustomer"::int from service_online d where d."id" = t."idDialog") as "idCustomer"`)
  const devices = await devicesOf(app.db, [...new Set(answered.map(({ idCustomer }) => idCustomer))])
  await oneByOne(app, JOB, devices, (one) => wakeDevice(app, one))
}

export function startPush(app: AppContext): void {
  app.jobs.register(JOB, { cron: '* * * * *', handler: () => pushAnswers(app) })
}

export const pushCalls = [device, sendDevice, news, dropDevice]
