/**
 * Twenty-four hours of a contact centre in ten minutes, while the servers are killed: visitors write and operators answer
 * over two servers of one clinic, telephones ring, and every twenty seconds one server is killed (as by a power failure)
 * and started again. At the end no message and no call is lost, doubled or out of order, and the counters on the screens
 * equal the counts in SQL.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { startAmiSimulator } from '../apps/server/src/testing/amiSimulator.ts'
import { PASSWORD } from './bigData.ts'
import { fillCentre } from './centre.ts'
import { headersOf, http } from './centreScreen.ts'
import { hold, type Process, release, startClinic } from './clinic.ts'
import { none, type Part } from './table.ts'

export const OUTAGE_MINUTES = 10
const HOURS = 24
const OPERATORS = 20
const VISITORS = 300
const KILL_EVERY_MS = 20_000
/** Messages a second by hour of the day: night, morning, noon, evening. */
const pace = (hour: number) => (hour < 7 ? 2 : hour < 10 ? 8 : hour < 19 ? 14 : 5)
const CALLS_IN_HOUR = 6
const TRY_EVERY_MS = 250
const TRY_FOR_MS = 120_000

/** @param minutes duration of the simulated day */
export async function measureOutage(minutes: number): Promise<Part> {
  const ami = await startAmiSimulator()
  const clinic = await startClinic({
    tasks: 2_000,
    users: OPERATORS + 1,
    env: { AMI_URL: ami.url, TRUST_PROXY: '127.0.0.1' },
  })
  hold(() => ami.close())
  await fillCentre(clinic, { visitors: VISITORS, operators: OPERATORS })
  const servers: Process[] = [clinic.product, await clinic.another()]
  const any = () => (servers[Math.floor(Math.random() * servers.length)] as Process).url
  let over = false
  const tries = { all: 0, again: 0 }
  /** Repeats the request, to either server, until it is answered. */
  const insist = async (path: string, headers: () => Promise<Record<string, string>>, body: object) => {
    const until = Date.now() + TRY_FOR_MS
    for (;;) {
      tries.all++
      const answer = await http('POST', any() + path, await headers(), body, AbortSignal.timeout(5_000)).catch(
        () => undefined,
      )
      if (answer && answer.status < 300) return answer.body
      if (answer && ![429, 502, 503, 504].includes(answer.status))
        throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`)
      if (Date.now() > until) throw new Error(`${path}: no answer for ${TRY_FOR_MS / 1000} s`)
      tries.again++
      await sleep(TRY_EVERY_MS)
    }
  }

  // The messages each visitor has sent, in order, and those received.
  const sent = Array.from({ length: VISITORS }, (): string[] => [])
  const got = Array.from({ length: VISITORS }, (): string[] => [])
  const answered = Array.from({ length: VISITORS }, (): string[] => [])
  const listening = got.map(async (lines, at) => {
    let cursor = 0
    const round = async (wait: number) => {
      const path = `/live-assist/visitor/messages?after=${cursor}&wait=${wait}`
      const answer = await http('GET', any() + path, headersOf(at + 1), undefined, AbortSignal.timeout(30_000)).catch(
        () => undefined,
      )
      if (answer?.status !== 200) return sleep(1_000)
      for (const { kind, text } of answer.body.messages) if (kind === 'staff') lines.push(text)
      cursor = answer.body.cursor
    }
    while (!over) await round(10)
    await round(0)
  })

  const tokens: string[] = []
  const signIn = async (at: number) => {
    for (;;) {
      const login = { login: `bench-${at + 1}`, password: PASSWORD, forceLogin: true }
      const answer = await http('POST', `${any()}/auth/login`, {}, login).catch(() => undefined)
      if (answer?.status === 200) return answer.body.accessToken as string
      await sleep(TRY_EVERY_MS)
    }
  }
  for (let at = 0; at < OPERATORS; at++) tokens.push(await clinic.signIn(`bench-${at + 1}`))

  const length = minutes * 60_000
  const began = Date.now()
  const hourNow = () => ((Date.now() - began) / length) * HOURS
  let kills = 0
  const killing = (async () => {
    while (Date.now() - began < length) {
      await sleep(Math.min(KILL_EVERY_MS, length / 4))
      const at = kills++ % servers.length
      ;(servers[at] as Process).kill()
      servers[at] = await clinic.another()
    }
  })()

  // Sequential within each chat.
  const last = Array.from({ length: VISITORS }, () => Promise.resolve())
  const faults: string[] = []
  let no = 0
  const inTurn = (at: number, run: () => Promise<unknown>) => {
    last[at] = (last[at] as Promise<void>).then(run).then(
      () => undefined,
      (error) => void faults.push(String(error)),
    )
  }
  const writing = (async () => {
    while (Date.now() - began < length) {
      await sleep(1_000 / pace(hourNow()))
      const at = no++ % VISITORS
      const text = `вопрос ${no}`
      const clientId = randomUUID()
      inTurn(at, async () => {
        await insist('/live-assist/visitor/messages', async () => headersOf(at + 1), { clientId, text })
        sent[at]?.push(text)
      })
      if (no % 2 === 0) continue
      const reply = `ответ ${no}`
      const replyId = randomUUID()
      const body = { idLiveAssist: at + 1, clientId: replyId, message: reply }
      // The last visitor's chat belongs to the operator past the last.
      if (at === VISITORS - 1) continue
      inTurn(at, async () => {
        const headers = async () => ({ authorization: `Bearer ${tokens[at % OPERATORS]}` })
        await insist('/live-assist/messages', headers, body)
        answered[at]?.push(reply)
      })
    }
  })()
  // A token is valid for 15 minutes.
  const renewing = (async () => {
    while (Date.now() - began < length) {
      await sleep(1_000)
      if (Math.floor((Date.now() - began) / 600_000) < 1) continue
      for (let at = 0; at < OPERATORS; at++) tokens[at] = await signIn(at)
      return
    }
  })()
  const sessions: string[] = []
  const ringing = (async () => {
    while (Date.now() - began < length) {
      await sleep(length / HOURS / CALLS_IN_HOUR)
      const session = `day-${sessions.length}`
      sessions.push(session)
      void telephone(ami, session, String(2_000 + (sessions.length % OPERATORS)), sessions.length % 3 !== 0)
    }
  })()
  await Promise.all([killing, writing, renewing, ringing])
  await Promise.all(last)
  await sleep(5_000)
  over = true
  await Promise.all(listening)

  const kept = await keptMessages(clinic.client)
  const wrong = (lists: readonly string[][], of: (at: number) => string[]) =>
    lists.filter((list, at) => JSON.stringify(list) !== JSON.stringify(of(at))).length
  const counted = await wrongCounters(clinic.client)
  const badCalls = await wrongCalls(clinic.client, sessions)
  let unread = 0
  for (let at = 0; at < OPERATORS; at++) {
    const counts = await http('GET', `${any()}/live-assist/counts`, { authorization: `Bearer ${await signIn(at)}` })
    const { rows: recount } = await clinic.client.query<{ n: number }>(
      `select count(*)::int as n from live_assist where "status" = 'active' and "handler" = 'human' and "idUser" = $1
         and "inCount" > "readIn" and not "deleted"`,
      [clinic.data.idUsers[at]],
    )
    if (counts.body?.unread !== recount[0]?.n) unread++
  }
  await release()
  const total = (lists: readonly string[][]) => lists.reduce((sum, { length }) => sum + length, 0)
  return {
    title: `Contact centre: ${HOURS} hours in ${minutes} minutes, two servers of which one is killed each ${KILL_EVERY_MS / 1000} s (${kills} times)`,
    lines: [
      none(
        `chats of ${VISITORS} whose ${total(sent)} questions are lost, doubled or out of order`,
        wrong(sent, (at) => kept(at, 'visitor')),
      ),
      none(
        `whose ${total(answered)} answers are`,
        wrong(answered, (at) => kept(at, 'staff')),
      ),
      none(
        'visitors to whom the answers came otherwise than they were given',
        wrong(answered, (at) => got[at] as string[]),
      ),
      none('chats whose counters are not what SQL counts', counted),
      none(`operators of ${OPERATORS} whose unread are not what SQL counts`, unread),
      none(`calls of ${sessions.length} that are not in the journal once, and over`, badCalls.length),
      none('calls that were refused', faults.length),
    ],
    notes: [
      `${tries.again} of ${tries.all} tries had no answer and were made again under their key`,
      ...badCalls.slice(0, 20),
      ...faults.slice(0, 3),
    ],
  }
}

/** The messages of visitor `at` (from 0) as the server has kept them, in order, by kind. */
export async function keptMessages(client: pg.Client): Promise<(at: number, kind: string) => string[]> {
  const { rows } = await client.query<{ idVisitor: string; kind: string; message: string }>(
    `select c."idVisitor", m."kind", m."message" from live_assist_messages m join live_assist c on c."id" = m."idLiveAssist"
     where m."kind" in ('visitor', 'staff') order by c."idVisitor", m."seq"`,
  )
  const kept = Map.groupBy(rows, ({ idVisitor, kind }) => `${idVisitor} ${kind}`)
  return (at, kind) => (kept.get(`${at + 1} ${kind}`) ?? []).map(({ message }) => message)
}

/** Number of chats whose counters are not what SQL counts. */
export async function wrongCounters(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from live_assist c where c."inCount" <> (select count(*) from live_assist_messages m
       where m."idLiveAssist" = c."id" and m."kind" = 'visitor')
     or c."outCount" <> (select count(*) from live_assist_messages m where m."idLiveAssist" = c."id" and m."kind" in ('staff', 'robot'))
     or c."readIn" > c."inCount" or c."readOut" > c."outCount" or c."deliveredOut" <> c."outCount" and c."outCount" > 0`,
  )
  return rows[0]?.n ?? Number.NaN
}

/** The calls that are not in the journal once, and over: `session: state`. */
export async function wrongCalls(client: pg.Client, sessions: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ session: string; state: string; many: number }>(
    `select "idCallSession" as session, min("state") as state, count(*)::int as many from calls group by 1`,
  )
  const journal = new Map(rows.map((one) => [one.session, one]))
  return sessions.flatMap((session) => {
    const one = journal.get(session)
    return one?.state === 'ended' && one.many === 1 ? [] : [`${session}: ${one?.state ?? 'not there'}`]
  })
}

/**
 * A call of a few seconds, answered or missed.
 * @param session `day-` and a number, of which the caller's phone is made
 */
export async function telephone(
  ami: Awaited<ReturnType<typeof startAmiSimulator>>,
  session: string,
  sip: string,
  isAnswered: boolean,
): Promise<void> {
  const phone = `+7905${String(2_000_000 + Number(session.slice(4)))}`
  const legs = [session, `${session}o`]
  ami.emit('Newchannel', {
    Uniqueid: session,
    Linkedid: session,
    Channel: `PJSIP/trunk-${session}`,
    CallerIDNum: phone,
    Exten: '84950000000',
  })
  ami.emit('Newchannel', { Uniqueid: `${session}o`, Linkedid: session, Channel: `PJSIP/${sip}-0000000a` })
  await sleep(1_500)
  if (isAnswered)
    for (const Uniqueid of legs)
      ami.emit('BridgeEnter', { Uniqueid, Linkedid: session, BridgeUniqueid: `b-${session}` })
  await sleep(3_000)
  for (const Uniqueid of legs.toReversed()) ami.emit('Hangup', { Uniqueid, Cause: '16' })
}
