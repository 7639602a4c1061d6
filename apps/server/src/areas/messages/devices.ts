/** Devices on which patients enabled notifications: each belongs to a session of their portal, and ends with it. */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { wake } from '#platform/webPush.ts'
import type { AppContext } from '#records/context.ts'

/** Days of inactivity after which a portal session ends. */
const SILENT_DAYS = 7

/** SQL condition: the portal session `s` is valid. */
export const sessionLastsSql = sql`(s."dateExpires" > now() and s."dateSeen" > now() - make_interval(days => ${SILENT_DAYS}))`

/** SQL condition: this customer has a device that can receive a push. */
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
 * Wakes a device, which then requests its messages itself; a device that no longer exists is deleted.
 * @returns whether the vendor's server accepted the push
 */
export async function wakeDevice(app: AppContext, { id, endpoint }: Device): Promise<boolean> {
  const { secret, publicUrl } = app.config
  const { outcome, status } = await wake({ secret, publicUrl, outbound: app.outbound }, endpoint)
  if (outcome === 'gone') await app.db.query(sql`delete from portal_devices where "id" = ${id}`)
  else if (outcome === 'refused') app.log.warn({ status, idDevice: id }, 'portal: a device was not reached')
  return outcome === 'taken'
}

/** Wakes all devices of a patient. @returns whether any was woken */
export async function wakeAll(app: AppContext, devices: readonly Device[]): Promise<boolean> {
  const woken = await Promise.allSettled(devices.map((device) => wakeDevice(app, device)))
  for (const one of woken)
    if (one.status === 'rejected') app.log.warn({ err: one.reason }, 'portal: a device was not reached')
  return woken.some((one) => one.status === 'fulfilled' && one.value)
}

/** SQL of the text of a pushed message while it is valid; messages and the visit of each are `m` and `a`. */
export const pushedSql = raw(`m."channel" = 'push' and m."status" in ('accepted', 'delivered', 'unknown')`)
