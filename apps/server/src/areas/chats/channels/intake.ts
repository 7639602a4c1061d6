/** The door of messengers: what comes is kept at once and answered, and becomes lines of chats after that. */
import { join } from 'node:path'
import { chatCalls } from '@ordinator/model/areas/chats/calls'
import { ChatChannel, channelKinds } from '@ordinator/model/areas/chats/chatSettings'
import { CHAT_FILE_MAX, ChatFile, ChatMessage, MAX_MESSAGE, Visitor } from '@ordinator/model/areas/chats/liveAssist'
import type { Entity, Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { HttpError, notFound, unauthorized, ValidationError } from '../../../platform/errors.ts'
import { isDoorKey, oncePerSender, readObject } from '../../../platform/webhook.ts'
import { systemActor } from '../../../records/actor.ts'
import type { AppContext } from '../../../records/context.ts'
import { operation } from '../../../records/operation.ts'
import { keep } from '../../files/index.ts'
import { type Origin, receiveLine } from '../visitor.ts'
import type { Incoming } from './adapter.ts'
import { adapters } from './adapters.ts'
import { deliveryCalls } from './delivery.ts'
import { secretOf } from './secrets.ts'

const JOB = 'chats.receive'
/** Days for which the numbers of events are kept, so that a late repeat is known. */
const KEPT_DAYS = 14
/** Events that one run takes in; the next goes on. */
const MOST = 200
const NAMELESS = 'Гость'

type Channel = Row<typeof ChatChannel>

const update = operation(chatCalls.channelUpdate, async ({ app, params, request }) => {
  const channel = isDoorKey(params.key)
    ? await app.db.one<Channel>(sql`select * from live_assist_channels where "key" = ${params.key} and not "deleted"`)
    : undefined
  if (!channel) throw notFound()
  const secret = await secretOf(app.db, channel.id)
  if (!secret || !adapters[channel.kind].isGenuine(request.headers, secret.secret))
    throw unauthorized('Секрет не подходит', 'signature')
  if (!channel.active) return
  const incoming = adapters[channel.kind].read(readObject((request.body as Buffer | undefined) ?? Buffer.alloc(0)))
  if (!incoming) return
  await app.db.tx(async (tx) => {
    const kept = await tx.query(sql`
      insert into live_assist_channel_events ("idChannel", "idEvent", "body")
      values (${channel.id}, ${incoming.idEvent}, ${JSON.stringify(incoming)}::jsonb)
      on conflict do nothing returning 1`)
    if (kept.length > 0) await app.jobs.send(JOB, { idChannel: channel.id }, { key: `channel${channel.id}`, tx })
  })
})

export function startChannels(app: AppContext): void {
  app.jobs.register<{ idChannel: number }>(JOB, { concurrency: 2, handler: ({ idChannel }) => takeIn(app, idChannel) })
  app.jobs.register('chats.forgetEvents', {
    cron: '23 3 * * *',
    handler: () =>
      app.db.query(sql`delete from live_assist_channel_events
        where "dateDone" is not null and "dateCreate" < now() - make_interval(days => ${KEPT_DAYS})`),
  })
}

/** What has come by a channel, in the order of coming. A run that is broken off is gone on with by the next. */
async function takeIn(app: AppContext, idChannel: number): Promise<void> {
  for (let taken = 0; taken < MOST; taken++) {
    const more = await app.db.tx(async (tx) => {
      await oncePerSender(tx, `${JOB}:${idChannel}`)
      const next = await tx.one<{ idEvent: string; body: Incoming }>(sql`
        select "idEvent", "body" from live_assist_channel_events
        where "idChannel" = ${idChannel} and "dateDone" is null order by "number" limit 1`)
      if (!next) return false
      const failure = await become(app, idChannel, next.body)
      await tx.query(sql`update live_assist_channel_events set "dateDone" = now(), "failure" = ${failure ?? null}
        where "idChannel" = ${idChannel} and "idEvent" = ${next.idEvent}`)
      return true
    })
    if (!more) return
  }
  await app.jobs.send(JOB, { idChannel }, { key: `channel${idChannel}` })
}

/** @returns why nothing became of it */
async function become(app: AppContext, idChannel: number, incoming: Incoming): Promise<string | undefined> {
  const channel = await app.engine.for(systemActor).asSystem.row(ChatChannel, idChannel)
  const idVisitor = await visitorOf(app, idChannel, incoming)
  const clientId = `${channel.kind}-${incoming.idMessage}`
  const text = incoming.text.slice(0, MAX_MESSAGE)
  if (incoming.kind === 'edit') {
    await edit(app, idVisitor, clientId, text)
    return undefined
  }
  const origin: Origin = {
    idDomain: null,
    idChannel,
    idFilial: channel.idFilial,
    source: channel.kind,
    sourceName: channel.name,
    robot: channel.robot,
  }
  const { file } = incoming
  try {
    const stored = file && (await fetched(app, channel, file))
    const words = stored || !file ? text : [text, `Файл «${file.name}» не принят`].filter(Boolean).join('\n')
    await receiveLine(app, idVisitor, origin, { clientId, text: words, ...(stored && { files: [stored] }) })
    return undefined
  } catch (error) {
    // Too much at once, or said before: it stays among the events.
    if (error instanceof HttpError) return error.message
    throw error
  }
}

/** Undefined: not a file that is taken. */
async function fetched(app: AppContext, { id, kind, idUser }: Channel, file: NonNullable<Incoming['file']>) {
  const secret = await secretOf(app.db, id)
  if (!secret || file.size > CHAT_FILE_MAX) return undefined
  try {
    const url = await adapters[kind].fileUrl(app.config, secret.token, file.id)
    return await app.scratch.use(async (folder) => {
      const path = join(folder, 'file')
      const { size } = await app.outbound.download(url, path, { maxBytes: CHAT_FILE_MAX })
      const keeper = app.engine.for({ ...systemActor, id: idUser })
      const kept = await keep(ChatFile as Entity, app, keeper, { path, size, name: file.name })
      return { id: kept.id, name: String(kept.name) }
    })
  } catch (error) {
    if (error instanceof HttpError) return undefined
    throw error
  }
}

const visitorOf = (app: AppContext, idChannel: number, { idFrom, name }: Incoming): Promise<number> =>
  app.engine.for(systemActor).tx(async (inside, tx) => {
    const known = await tx.one<{ id: number }>(sql`select "id" from live_assist_visitors
      where "idChannel" = ${idChannel} and "idExternal" = ${idFrom}`)
    if (known) return known.id
    return (await inside.asSystem.create(Visitor, { name: name || NAMELESS, idChannel, idExternal: idFrom })).id
  })

const edit = (app: AppContext, idVisitor: number, clientId: string, text: string): Promise<void> =>
  app.engine.for(systemActor).tx(async (inside, tx) => {
    const line = await tx.one<{ id: number }>(sql`select m."id" from live_assist_messages m
      join live_assist c on c."id" = m."idLiveAssist"
      where c."idVisitor" = ${idVisitor} and m."clientId" = ${clientId} and not m."deleted" order by m."id" desc limit 1`)
    if (line)
      await inside.asSystem.update(ChatMessage, line.id, { message: text, dateEdited: new Date().toISOString() })
  })

const connect = operation(chatCalls.connectChannel, async ({ app, records, params }) => {
  const channel = await records.row(ChatChannel, params.id)
  const secret = await secretOf(app.db, channel.id)
  if (!secret)
    throw new ValidationError([
      { field: 'token', message: `Сначала запишите токен бота (${channelKinds[channel.kind]})` },
    ])
  const url = `${app.config.publicUrl}/live-assist/channels/${channel.key}/updates`
  const account = await adapters[channel.kind].connect(app.config, secret.token, { url, secret: secret.secret })
  return records.asSystem.update(ChatChannel, channel.id, { account, dateChecked: new Date().toISOString() })
})

export const channelCalls = [update, connect, ...deliveryCalls]
