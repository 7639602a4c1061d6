/**
 * Web push to the devices of patients (RFC 8030), signed by the server (VAPID, RFC 8292). Nothing is sent in it: that there
 * is something new, the device says by itself, and what it is stands behind the sign-in alone.
 */
import { createECDH, hkdfSync } from 'node:crypto'
import { portalCalls } from '@ordinator/model/areas/portal/calls'
import { importJWK, SignJWT } from 'jose'
import sql from 'sql-template-tag'
import { systemActor } from '../../records/actor.ts'
import type { AppContext } from '../../records/context.ts'
import { eachAlone } from '../../records/eachAlone.ts'
import { patientCall } from './sessions.ts'

const JOB = 'portal.push'
/** Devices of one patient's that are told; a further one takes the place of the oldest. */
const MOST_DEVICES = 5
/** Seconds for which the maker's server keeps what a device that is off has not taken. */
const KEPT = 12 * 3600
/** Seconds of an answer that nobody has got, before the device is told: who is in the dialogue needs no telling. */
const PATIENCE = 15
const AT_ONCE = 200
const GONE = [404, 410]

/** The server's own pair of keys: made of its secret, so that all servers have one and none is stored. */
function keysOf(secret: string) {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(Buffer.from(hkdfSync('sha256', secret, '', 'web push', 32)))
  const point = ecdh.getPublicKey()
  const part = (from: number, to: number) => point.subarray(from, to).toString('base64url')
  return {
    publicKey: point.toString('base64url'),
    jwk: { kty: 'EC', crv: 'P-256', x: part(1, 33), y: part(33, 65), d: ecdh.getPrivateKey().toString('base64url') },
  }
}

const device = patientCall(portalCalls.device, async ({ app }) => ({ key: keysOf(app.config.secret).publicKey }))

const tellDevice = patientCall(portalCalls.tellDevice, async ({ app, patient, body: { endpoint } }) => {
  const { idCustomer, idSession } = patient
  await app.engine.for(systemActor).tx(async (_own, tx) => {
    // Whoever signs in on a device has it for themselves.
    await tx.query(sql`insert into portal_devices ("idCustomer", "idSession", "endpoint")
      values (${idCustomer}, ${idSession}, ${endpoint})
      on conflict ("endpoint") do update set "idCustomer" = excluded."idCustomer", "idSession" = excluded."idSession"`)
    await tx.query(sql`delete from portal_devices where "id" in (select "id" from portal_devices
      where "idCustomer" = ${idCustomer} order by "id" desc offset ${MOST_DEVICES})`)
  })
})

const dropDevice = patientCall(portalCalls.dropDevice, async ({ app, patient, body: { endpoint } }) => {
  await app.db.query(
    sql`delete from portal_devices where "endpoint" = ${endpoint} and "idCustomer" = ${patient.idCustomer}`,
  )
})

/** Tells one device that there is something new; one that is there no more is forgotten. */
async function push(app: AppContext, { id, endpoint }: { id: number; endpoint: string }): Promise<void> {
  const { jwk, publicKey } = keysOf(app.config.secret)
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(new URL(endpoint).origin)
    .setSubject(app.config.publicUrl)
    .setExpirationTime('1h')
    .sign(await importJWK(jwk, 'ES256'))
  const { status } = await app.outbound.post(endpoint, '', {
    headers: { authorization: `vapid t=${token}, k=${publicKey}`, ttl: String(KEPT), urgency: 'normal' },
    maxAnswer: 1000,
  })
  if (GONE.includes(status)) await app.db.query(sql`delete from portal_devices where "id" = ${id}`)
  else if (status >= 400) app.log.warn({ status, idDevice: id }, 'portal: a device was not told')
}

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
  const devices = await app.db.query<{ id: number; endpoint: string }>(sql`
    select "id"::int as id, "endpoint" from portal_devices
    where "idCustomer" = any (${[...new Set(told.map(({ idCustomer }) => idCustomer))]}::bigint[]) order by "id"`)
  await eachAlone(app, JOB, devices, (one) => push(app, one))
}

export function startPush(app: AppContext): void {
  app.jobs.register(JOB, { cron: '* * * * *', handler: () => tellAnswers(app) })
}

export const pushCalls = [device, tellDevice, dropDevice]
