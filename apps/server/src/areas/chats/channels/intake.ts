/** Webhook intake of messengers: events are stored and acknowledged at once, and become chat lines afterwards. */
import { join } from 'node:path'
import { chatCalls } from '@ordinator/model/areas/chats/calls'
import { CHAT_FILE_MAX } from '@ordinator/model/areas/chats/chatFiles'
import { ChatChannel, channelKinds } from '@ordinator/model/areas/chats/chatSettings'
import { GUEST, MAX_MESSAGE, Visitor } from '@ordinator/model/areas/chats/liveAssist'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { QUOTA_USED } from '#areas/files/index.ts'
import { takePost } from '#areas/news/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError, notFound, unauthorized, ValidationError } from '#platform/errors.ts'
import { Unreached } from '#platform/outbound.ts'
import { isWebhookKey, oncePerSender, readObject } from '#platform/webhook.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Origin } from '../visitorEntry.ts'
import { answeredAtOnce, keepFile, receiveLine } from '../visitorLines.ts'
import type { ChannelEvent, Incoming, IncomingFile } from './adapter.ts'
import { adapters } from './adapters.ts'
import { changeState as changed, clientIdOf, isTakenBack } from './changes.ts'
import { keepConfirmation, secretOf } from './secrets.ts'

const JOB = 'chats.receive'
/** Days for which event ids are kept to recognize late repeats. */
const KEPT_DAYS = 14
/** Maximum number of events per run; the next run continues. */
const MOST = 200
/**
 * Seconds until each retry of a file that a messenger could not provide; after the last the line is written without it.
 */
const AGAIN_S = [10, 60, 300] as const
/** Maximum seconds for which events of a patient above the rate limit are delayed. */
const LONGEST_WAIT_S = 600
/** Maximum number of files per message. */
const MOST_FILES = 10

type Channel = Row<typeof ChatChannel>

/** A stored event. */
export type Kept = ChannelEvent & { bot: string }

/** The response for a messenger that does not read it. */
const OK = 'ok'

async function channelOf({ db }: AppContext, key: string): Promise<Channel> {
  const channel = isWebhookKey(key)
    ? await db.one<Channel>(sql`select * from live_assist_channels where "key" = ${key} and not "deleted"`)
    : undefined
  if (!channel) throw notFound()
  return channel
}

const check = operation(chatCalls.channelCheck, async ({ app, params, query, reply }) => {
  const channel = await channelOf(app, params.key)
  const secret = await secretOf(app.db, channel.id)
  const answer = secret && adapters[channel.kind].challenge?.(query, secret)
  if (answer === undefined) throw unauthorized('Секрет не подходит', 'signature')
  return reply.type('text/plain').header('x-content-type-options', 'nosniff').send(answer)
})

const update = operation(chatCalls.channelUpdate, async ({ app, params, request, reply }) => {
  const channel = await channelOf(app, params.key)
  const secret = await secretOf(app.db, channel.id)
  const adapter = adapters[channel.kind]
  const bytes = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
  const update = readObject(bytes)
  if (!secret || !adapter.isGenuine({ headers: request.headers, bytes, update }, secret))
    throw unauthorized('Секрет не подходит', 'signature')
  const bot = adapter.botOf(secret, update)
  const events = channel.active ? adapter.read(update, secret) : []
  if (events.length > 0)
    await keepEvents(
      app,
      channel.id,
      events.map((event) => ({ ...event, bot })),
    )
  return reply.type('text/plain').send(adapter.answer?.(update, secret.confirmation) ?? OK)
})

/**
 * Texts made safe for PostgreSQL: names from a messenger may contain anything, and truncation may leave half a
 * surrogate pair.
 */
const kept = (event: Kept): string =>
  JSON.stringify(event, (_key, value) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  )

const keepEvents = (app: AppContext, idChannel: number, events: readonly Kept[]): Promise<void> =>
  app.db.tx(async (tx) => {
    let isNew = false
    for (const event of events) {
      const made = await tx.query(sql`
        insert into live_assist_channel_events ("idChannel", "idEvent", "body")
        values (${idChannel}, ${`${event.bot}:${event.idEvent}`}, ${kept(event)}::jsonb)
        on conflict do nothing returning 1`)
      isNew ||= made.length > 0
    }
    if (isNew) await wakeIntake(app, idChannel, tx)
  })

const wakeIntake = (app: AppContext, idChannel: number, tx?: Queryable) =>
  app.jobs.send(JOB, { idChannel }, { key: `channel${idChannel}`, ...(tx && { tx }) })

export function startChannels(app: AppContext): void {
  app.jobs.register<{ idChannel: number }>(JOB, { concurrency: 2, handler: ({ idChannel }) => takeIn(app, idChannel) })
  app.jobs.register('chats.receiveLeft', {
    cron: '* * * * *',
    handler: async () => {
      const left = await app.db.query<{ idChannel: number }>(sql`select distinct e."idChannel"
        from live_assist_channel_events e where ${dueSql}`)
      for (const { idChannel } of left) await wakeIntake(app, idChannel)
    },
  })
  app.jobs.register('chats.forgetEvents', {
    cron: '23 3 * * *',
    handler: () =>
      app.db.query(sql`delete from live_assist_channel_events
        where "dateDone" is not null and "dateCreate" < now() - make_interval(days => ${KEPT_DAYS})`),
  })
}

/** SQL condition: event `e` is due. */
const dueSql = sql`(e."dateDone" is null and (e."dateAgain" is null or e."dateAgain" <= now()))`

/**
 * Processes the events of a channel, in order per patient: a postponed one blocks no other patient. The next run
 * continues after an interruption.
 */
async function takeIn(app: AppContext, idChannel: number): Promise<void> {
  for (let taken = 0; taken < MOST; taken++) {
    const more = await app.db.tx(async (tx) => {
      await oncePerSender(tx, `${JOB}:${idChannel}`)
      const next = await tx.one<{ number: number; body: Kept; tries: number }>(sql`
        select e."number", e."body", e."tries" from live_assist_channel_events e
        where e."idChannel" = ${idChannel} and ${dueSql} and not exists (select from live_assist_channel_events before
          where before."idChannel" = e."idChannel" and before."dateDone" is null and before."number" < e."number"
            and before."body" ->> 'idFrom' = e."body" ->> 'idFrom')
        order by e."number" limit 1`)
      if (!next) return false
      const fate = await takeIncoming(app, idChannel, next.body, next.tries)
      const event = sql`"idChannel" = ${idChannel} and "number" = ${next.number}`
      if (fate.again === undefined)
        await tx.query(sql`update live_assist_channel_events
          set "dateDone" = now(), "failure" = ${fate.failure ?? null} where ${event}`)
      else {
        await tx.query(sql`update live_assist_channel_events set "tries" = "tries" + ${fate.counted ? 1 : 0},
          "dateAgain" = clock_timestamp() + make_interval(secs => ${fate.again}), "failure" = ${fate.failure} where ${event}`)
        await app.jobs.send(JOB, { idChannel }, { key: `again${idChannel}`, startAfter: fate.again, tx })
      }
      return true
    })
    if (!more) return
  }
  await wakeIntake(app, idChannel)
}

/** Outcome of an event: done, or retried in this many seconds. */
type Fate =
  | { again?: undefined /** Reason why it was dropped. */; failure?: string }
  | { again: number; failure: string /** It used one of its attempts. */; counted: boolean }

async function takeIncoming(app: AppContext, idChannel: number, incoming: Kept, tries: number): Promise<Fate> {
  try {
    const channel = await app.engine.for(systemActor).asSystem.row(ChatChannel, idChannel)
    if (incoming.kind === 'post') {
      const { idPost, text, date, url, images } = incoming
      if (channel.idIntake !== null) await takePost(app, channel.idIntake, { text, date, url, images }, idPost)
      return {}
    }
    if (incoming.kind !== 'message') {
      await changed(app, channel, incoming)
      return {}
    }
    const idVisitor = await visitorOf(app, channel, incoming)
    const clientId = clientIdOf(channel.kind, incoming)
    const text = incoming.text.slice(0, MAX_MESSAGE)
    const origin: Origin = {
      idDomain: null,
      idChannel,
      idFilial: channel.idFilial,
      idGroup: channel.idGroup,
      source: channel.kind,
      sourceName: channel.name,
      robot: channel.robot,
    }
    const isAnswered = (await answeredAtOnce(app.db, idVisitor, { clientId, text })) !== undefined
    const files: { id: number; name: string }[] = []
    const missed: string[] = []
    for (const file of isAnswered ? [] : incoming.files.slice(0, MOST_FILES)) {
      const stored = await fetched(app, channel, idVisitor, file, tries >= AGAIN_S.length)
      if (stored) files.push(stored)
      else missed.push(`Файл «${file.name}» не принят`)
    }
    const left = incoming.files.length - MOST_FILES
    if (left > 0) missed.push(`Не принято файлов: ${left}`)
    const words = [text, ...missed].filter(Boolean).join('\n')
    await receiveLine(app, idVisitor, origin, { clientId, text: words.slice(0, MAX_MESSAGE), files })
    const removal = await isTakenBack(app.db, channel.id, incoming)
    if (removal) await changed(app, channel, removal)
    return {}
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    // The messenger considers it delivered: above the rate limit it is delayed, and never dropped.
    if (error instanceof HttpError && error.status === 429)
      return { again: Math.min(Number(error.headers?.['retry-after']), LONGEST_WAIT_S), failure, counted: false }
    // A repeat, or from a deleted channel.
    if (isRefusal(error)) return { failure }
    app.log.warn({ err: error, idChannel, idEvent: incoming.idEvent }, 'chats: an event waits')
    return { again: AGAIN_S[tries] ?? LONGEST_WAIT_S, failure, counted: true }
  }
}

/** A permanent refusal: a retry gives the same result. */
const isRefusal = (error: unknown): boolean =>
  error instanceof HttpError && !(error instanceof Unreached) && error.status < 500 && error.status !== 429

/**
 * Undefined: the file is not accepted.
 * @param last a temporary failure now counts as a refusal
 */
async function fetched(app: AppContext, channel: Channel, idVisitor: number, file: IncomingFile, last: boolean) {
  const { id, kind, idUser } = channel
  const secret = await secretOf(app.db, id)
  if (!secret || file.size > CHAT_FILE_MAX) return undefined
  try {
    const { url, authorization } = await adapters[kind].fileUrl(app.config, secret, file.id)
    return await app.scratch.use(async (folder) => {
      const path = join(folder, 'file')
      const { size } = await app.outbound.download(url, path, {
        maxBytes: CHAT_FILE_MAX,
        ...(authorization && { authorization }),
      })
      return keepFile(app, idVisitor, { idDomain: null, idChannel: id }, idUser, { path, size, name: file.name })
    })
  } catch (error) {
    if (last || isRefusal(error) || (error instanceof HttpError && error.code === QUOTA_USED)) return undefined
    throw error
  }
}

/** The sender as a visitor, by the messenger's id; created with the first message. */
async function visitorOf(app: AppContext, channel: Channel, { idFrom, name, phone }: Incoming): Promise<number> {
  const sought = sql`select "id" from live_assist_visitors where "idChannel" = ${channel.id} and "idExternal" = ${idFrom}`
  const known = await app.db.one<{ id: number }>(sought)
  if (known) return known.id
  const called = name || (await askedName(app, channel, idFrom)) || GUEST
  return app.engine.for(systemActor).tx(async (inside, tx) => {
    const made = await tx.one<{ id: number }>(sought)
    if (made) return made.id
    return (
      await inside.asSystem.create(Visitor, {
        name: called,
        idChannel: channel.id,
        idExternal: idFrom,
        ...(phone && { phone }),
      })
    ).id
  })
}

/** Requests the name once; delays nothing. */
async function askedName(app: AppContext, { id, kind }: Channel, idFrom: string): Promise<string> {
  const secret = await secretOf(app.db, id)
  const ask = adapters[kind].nameOf
  if (!secret || !ask) return ''
  return ask(app.config, secret, idFrom).catch((error: Error) => {
    app.log.warn({ err: error, idChannel: id }, 'chats: the name of a visitor is unknown')
    return ''
  })
}

const connect = operation(chatCalls.connectChannel, async ({ app, records, params }) => {
  const channel = await records.row(ChatChannel, params.id)
  const account = await reach(app, channel)
  return records.asSystem.update(ChatChannel, channel.id, { account, dateChecked: new Date().toISOString() })
})

/** Verifies the bot and sets its webhook address. @throws HttpError 422 with the messenger's message */
export async function reach(app: AppContext, channel: Pick<Channel, 'id' | 'kind' | 'key'>): Promise<string> {
  const secret = await secretOf(app.db, channel.id)
  if (!secret)
    throw new ValidationError([
      { field: 'token', message: `Сначала запишите токен бота (${channelKinds[channel.kind]})` },
    ])
  const url = `${app.config.publicUrl}/live-assist/channels/${channel.key}/updates`
  return adapters[channel.kind].connect(app.config, secret, {
    url,
    secret: secret.secret,
    confirmWith: (confirmation) => keepConfirmation(app.db, channel.id, confirmation),
  })
}

export const channelCalls = [check, update, connect]
