/**
 * The card of a call beside an outside softphone: a plugin with the token of a signed-in tab requests a token of one
 * call, which opens the card once, within a minute; the key returned for it reads the card until the call is over.
 */
import { createHash, randomBytes } from 'node:crypto'
import { callCalls } from '@ordinator/model/areas/calls/calls'
import { pageByKey } from '@ordinator/model/pages'
import sql from 'sql-template-tag'
import { authOf } from '#auth/index.ts'
import { HttpError, unauthorized } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { incomingOf } from './incoming.ts'

/** Seconds. */
const PLUGIN_LIFE = 12 * 3_600
const TOKEN_LIFE = 60
/** Hours for which issued tokens are kept. */
const KEPT_HOURS = 24

const made = () => randomBytes(32).toString('base64url')
const hashed = (secret: string): Buffer => createHash('sha256').update(secret).digest()
const gone = () => new HttpError(410, 'Ссылка на звонок устарела', { code: 'gone' })

export const telephonyToken = operation(callCalls.telephonyToken, async ({ app, actor }) => {
  if (!actor.idSession) throw unauthorized()
  return { token: await authOf(app).tokens.telephony(actor.idSession, actor.id, PLUGIN_LIFE) }
})

export const widgetToken = operation(callCalls.widgetToken, async ({ app, body }) => {
  const ticket = await authOf(app).tokens.readTelephony(body.token)
  const actor = ticket && (await authOf(app).actorOfSession(ticket.idSession))
  if (!actor || actor.mustChangePassword || actor.mustAddFactor) throw unauthorized()
  const call = await app.db.one<{ id: number }>(sql`
    select c."id"::int as id from calls_legs l join calls c on c."id" = l."idCall"
    where l."idUser" = ${actor.id} and not l."deleted" and c."dateEnd" is null
      and (${body.session ?? null}::text is null or lower(c."idCallSession") = lower(${body.session ?? null}))
    order by l."ringAt" desc limit 1`)
  if (!call) throw gone()
  const token = made()
  await app.db.query(sql`delete from call_widgets where "dateCreate" < now() - make_interval(hours => ${KEPT_HOURS})`)
  await app.db.query(sql`insert into call_widgets ("token", "idSession", "idCall")
    values (${hashed(token)}, ${ticket.idSession}, ${call.id})`)
  const url = new URL(`/app/${pageByKey('incomingCall').path}`, app.config.publicUrl)
  // The fragment after «#» is not logged.
  return { token, url: `${url}#${token}` }
})

export const widgetOpen = operation(callCalls.widgetOpen, async ({ app, body }) => {
  const key = made()
  const opened = await app.db.one<Opened>(sql`update call_widgets set "key" = ${hashed(key)}
    where "token" = ${hashed(body.token)} and "key" is null
      and "dateCreate" > now() - make_interval(secs => ${TOKEN_LIFE}) returning "idSession", "idCall"::int as "idCall"`)
  if (!opened) throw gone()
  const call = await cardOf(app, opened)
  if (!call) throw gone()
  return { key, call }
})

export const widgetLook = operation(callCalls.widgetLook, async ({ app, body }) => {
  const opened = await app.db.one<Opened>(sql`select "idSession", "idCall"::int as "idCall" from call_widgets
    where "key" = ${hashed(body.key)} and "dateCreate" > now() - make_interval(hours => ${KEPT_HOURS})`)
  if (!opened) throw gone()
  return { call: (await cardOf(app, opened)) ?? null }
})

interface Opened {
  idSession: string
  idCall: number
}

/** With the employee's current rights; none if the session has ended. */
async function cardOf(app: AppContext, { idSession, idCall }: Opened) {
  const actor: ServerActor | undefined = await authOf(app).actorOfSession(idSession)
  if (!actor) throw gone()
  return (await incomingOf(app, actor, idCall))[0]
}
