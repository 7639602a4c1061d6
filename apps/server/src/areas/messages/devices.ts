/** Devices on which patients have asked to be told: each is of a session in their room, and goes with it. */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { wake } from '#platform/webPush.ts'
import type { AppContext } from '#records/context.ts'

/** Days of silence after which a session in the patients' room is over. */
const SILENT_DAYS = 7

/** SQL of whether the session `s` of the patients' room lasts still. */
export const sessionLastsSql = sql`(s."dateExpires" > now() and s."dateSeen" > now() - make_interval(days => ${SILENT_DAYS}))`

/** SQL of whether this customer has a device that can ask what it is to show. */
export const hasDeviceSql = (idCustomer: Sql): Sql => sql`exists (select from portal_devices d
  join portal_sessions s on s."id" = d."idSession" and ${sessionLastsSql} where d."idCustomer" = ${idCustomer})`

export interface Device {
  id: number
  endpoint: string
}

export const devicesOf = (db: Queryable, idCustomers: readonly number[]): Promise<Device[]> =>
  db.query<Device>(sql`select d."id"::int as id, d."endpoint" from portal_devices d
    join portal_sessions s on s."id" = d."idSession" and ${sessionLastsSql}
    where d."idCustomer" = any (${idCustomers}::bigint[]) order by d."id"`)

/**
 * Wakes a device, which asks for its news by itself; one that is there no more is forgotten.
 * @returns whether its maker's server has taken that
 */
export async function wakeDevice(app: AppContext, { id, endpoint }: Device): Promise<boolean> {
  const { secret, publicUrl } = app.config
  const { outcome, status } = await wake({ secret, publicUrl, outbound: app.outbound }, endpoint)
  if (outcome === 'gone') await app.db.query(sql`delete from portal_devices where "id" = ${id}`)
  else if (outcome === 'refused') app.log.warn({ status, idDevice: id }, 'portal: a device was not told')
  return outcome === 'taken'
}

/** Wakes what devices a patient has. @returns whether any of them was */
export async function wakeAll(app: AppContext, devices: readonly Device[]): Promise<boolean> {
  const woken = await Promise.allSettled(devices.map((device) => wakeDevice(app, device)))
  for (const one of woken)
    if (one.status === 'rejected') app.log.warn({ err: one.reason }, 'portal: a device was not told')
  return woken.some((one) => one.status === 'fulfilled' && one.value)
}

/** What a message that went by push says while it is still so; messages and the visit of each are `m` and `a`. */
export const pushedSql = raw(`m."channel" = 'push' and m."status" in ('accepted', 'delivered', 'unknown')`)
