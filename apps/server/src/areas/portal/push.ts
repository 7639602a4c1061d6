/**
 * Devices of patients. Nothing is sent to them: a woken one asks, by the sign-in that it has, for the messages that went
 * this way. Of an answer in a dialogue it only says that there is one; what it is stands in the room.
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
/** Devices of one patient's that are told; a further one takes the place of the oldest. */
const MOST_DEVICES = 5
/** Seconds of an answer that nobody has got, before the device is told: who is in the dialogue needs no telling. */
const PATIENCE = 15
const AT_ONCE = 200

const device = patientCall(portalCalls.device, async ({ app }) => ({ key: pushKey(app.config.secret) }))

/** A browser names a server of its maker; another address would have our server ask whomever a stranger wishes. */
function mustBeMakers({ config }: AppContext, endpoint: string): void {
  const { hostname } = new URL(endpoint)
  const isOne = (host: string) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host)
  if (!config.pushHosts.some(isOne))
    throw new ValidationError([
      { field: 'endpoint', message: 'Этот браузер присылает уведомления через неизвестный сервер' },
    ])
}

const tellDevice = patientCall(portalCalls.tellDevice, async ({ app, patient, body: { endpoint } }) => {
  mustBeMakers(app, endpoint)
  const { idCustomer, idSession } = patient
  await app.engine.for(systemActor).tx(async (_own, tx) => {
    // Whoever signs in on a device has it for themselves.
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

/** Messages that a device shows when it wakes up: what came before them is old by then. */
const MOST_NEWS = 3

/** What went by push and this device has not shown; the patient has it then. */
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

/** Answers that patients have not got yet: each is told once, whatever becomes of the telling. */
async function tellAnswers(app: AppContext): Promise<void> {
  const told = await app.db.query<{ idCustomer: number }>(sql`
    insert into portal_told as t ("idDialog", "no")
    select d."id", d."outCount" from service_online d
    where d."outCount" > d."readOut" and d."outCount" > d."deliveredOut" and not d."deleted"
      and d."dateLast" < now() - make_interval(secs => ${PATIENCE})
      and exists (select 1 from portal_devices s where s."idCustomer" = d."idCustomer")
      and not exists (select 1 from portal_told n where n."idDialog" = d."id" and n."no" >= d."outCount")
    order by d."id" limit ${AT_ONCE}
    on conflict ("idDialog") do update set "no" = excluded."no" where t."no" < excluded."no"
    returning (select d."idCustomer"::int from service_online d where d."id" = t."idDialog") as "idCustomer"`)
  const devices = await devicesOf(app.db, [...new Set(told.map(({ idCustomer }) => idCustomer))])
  await oneByOne(app, JOB, devices, (one) => wakeDevice(app, one))
}

export function startPush(app: AppContext): void {
  app.jobs.register(JOB, { cron: '* * * * *', handler: () => tellAnswers(app) })
}

export const pushCalls = [device, tellDevice, news, dropDevice]
