/**
 * A day of a network compressed: 50 branches and 1,500 people with open sockets, on three servers of one clinic, in 30
 * minutes. Visits and their rivals, chats, calls, the laboratory, stock, lists and reports run together, each at the pace
 * of its own hours. Measured: the time of each step against a quiet minute before, with the same sockets open and one
 * request at a time; memory after garbage collection and open files of each server, early and late. At the end the
 * ledger, drawers, terminals, receipts, stock, visits, chats and calls are compared by SQL.
 *
 * All three servers do everything (`ROLE=all`), as in a network that has no machine of its own for jobs: the cost of jobs
 * falls on people. Events go over a Redis if `redis-server` is installed, else over PostgreSQL, and the notes say so.
 * Registers and terminals are the product's simulators; calls come from a simulated exchange.
 */
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { dayIn } from '@ordinator/model/zone'
import { startAmiSimulator } from '../apps/server/src/testing/amiSimulator.ts'
import { realRedis, redisServer } from '../apps/server/src/testing/redis.ts'
import { type BenchClinic, hold, type Process, release, startClinic } from './clinic.ts'
import { heldBytes, rss } from './memory.ts'
import { booksOfNetwork } from './networkBooks.ts'
import { type Branch, fillNetwork } from './networkFill.ts'
import { inGroups, ROLES } from './networkPeople.ts'
import { type Kind, listenVisitors, makeWork, type Work } from './networkWork.ts'
import { bytes, type Line, ms, none, type Part, percentile } from './table.ts'

export const NETWORK = { minutes: 30, people: 1_500 }
const BRANCHES = 50
const SERVERS = 3
const QUIET_MS = 60_000
/** Requests of each kind before the quiet minute: the first ones on a connection are not representative. */
const WARM_UP = 10
const TAIL_GOAL = 3
/** A tail of fewer times means little. */
const FEW = 30
const GROWTH_GOAL = 1.2
const SETTLE_MS = 60_000
/** Characters by which a fault is known: what follows names the request. */
const FAULT_LENGTH = 100

/** How often a person of the network does it in a day, and when: twelve hours from 8 to 20. */
const DAY: Record<Kind, { each: number; hours: readonly number[] }> = {
  visit: { each: 2, hours: [4, 9, 12, 11, 8, 6, 6, 9, 12, 11, 8, 4] },
  rivals: { each: 0.2, hours: [4, 9, 12, 11, 8, 6, 6, 9, 12, 11, 8, 4] },
  chat: { each: 3, hours: [3, 6, 9, 10, 9, 8, 7, 7, 8, 10, 12, 11] },
  call: { each: 0.5, hours: [12, 15, 12, 9, 7, 6, 6, 7, 8, 8, 6, 4] },
  laboratory: { each: 0.5, hours: [20, 22, 16, 10, 6, 5, 5, 5, 4, 3, 2, 2] },
  stock: { each: 0.4, hours: [10, 15, 15, 10, 8, 8, 8, 8, 8, 5, 3, 2] },
  lists: { each: 4, hours: [8, 10, 10, 9, 8, 7, 7, 9, 10, 9, 8, 5] },
  reports: { each: 0.3, hours: [10, 12, 8, 6, 6, 5, 5, 6, 8, 10, 12, 12] },
}

/** @param minutes duration of the compressed day @param people with an open socket each; at least six */
export async function measureNetworkDay({ minutes, people }: typeof NETWORK): Promise<Part> {
  const { clinic, servers, network, ami, hasRedis } = await bringUp(people)
  let closed = 0
  await inGroups([...network.people.entries()], async ([at, person]) => {
    person.onClosed = () => closed++
    await person.open((network.branches[at % network.branches.length] as Branch).idFilial)
  })
  let turn = 0
  const urlOf = () => (servers[turn++ % servers.length] as Process).url
  const work = makeWork(network, ami, urlOf)
  const endListening = listenVisitors(work, urlOf)
  const faults = new Map<string, number>()
  const carry = (kind: Kind) =>
    work.kinds[kind]().catch((error: Error) => {
      const what = error.message.slice(0, FAULT_LENGTH)
      faults.set(what, (faults.get(what) ?? 0) + 1)
    })

  // What fails when nothing else is asked is a fault of the bench.
  for (let at = 0; at < WARM_UP; at++) await Promise.all(Object.values(work.kinds).map((run) => run()))
  work.times.clear()
  const quietUntil = performance.now() + QUIET_MS
  while (performance.now() < quietUntil) for (const kind of kindsOf(work)) await carry(kind)
  const quiet = new Map(work.times)
  work.times.clear()

  const readings = servers.map((): Reading[] => [])
  const day = pass(work, carry, minutes, people)
  const files = countFiles(servers, (at) => (at - day.began) / day.length)
  for (const share of [0.25, 1]) {
    await sleep(Math.max(0, day.began + share * day.length - performance.now()))
    if (share === 1) await day.ended
    const [from, until] = [share === 1 ? 0.75 : 0, share]
    await work.apart(async () => {
      for (const [at, server] of servers.entries())
        readings[at]?.push({ ...(await memoryOf(server)), files: files.most(at, from, until) })
    })
  }
  files.stop()
  const dayTimes = new Map(work.times)
  const closedInDay = closed
  await Promise.all(work.hangUps)
  await receiptsPrinted(clinic)
  await endListening()
  const books = await booksOfNetwork(clinic.client, work)
  await release()
  const total = [...faults.values()].reduce((sum, one) => sum + one, 0)
  return {
    title: `A day of a network in ${minutes} minutes: ${network.branches.length} branches, ${people.toLocaleString('en')} people with open sockets, ${SERVERS} servers: p99 in the day (product) and in a quiet minute (yardstick)`,
    lines: [
      ...tails(dayTimes, quiet),
      ...growth(readings),
      none('sockets that closed by themselves', closedInDay),
      none('pieces of work that failed', total),
      ...books,
    ],
    notes: [
      hasRedis ? 'events over Redis' : 'events over PostgreSQL: redis-server is not installed',
      `late starts, as the bench itself was busy: at most ${ms(day.latest())}`,
      ...[...faults].slice(0, 10).map(([what, count]) => `${count} × ${what}`),
    ],
  }
}

/** The filled clinic on its servers, with its exchange. */
async function bringUp(people: number) {
  const ami = await startAmiSimulator()
  const redis = redisServer.there ? await realRedis(hold) : undefined
  const clinic = await startClinic({
    tasks: 2_000,
    users: people,
    env: { AMI_URL: ami.url, TRUST_PROXY: '127.0.0.1', REDIS_URL: redis?.url ?? '' },
  })
  hold(() => ami.close())
  const servers: Process[] = [clinic.product]
  while (servers.length < SERVERS) servers.push(await clinic.another())
  const today = dayIn('Europe/Moscow', Date.now())
  const branches = Math.min(BRANCHES, Math.floor(people / ROLES.length))
  const network = await fillNetwork(clinic, servers, branches, today)
  return { clinic, servers, network, ami, hasRedis: redis !== undefined }
}

const kindsOf = (work: Work) => Object.keys(work.kinds) as Kind[]

/** The day begins: each kind starts by the clock, whatever earlier pieces of work take. */
function pass(work: Work, carry: (kind: Kind) => Promise<unknown>, minutes: number, people: number) {
  const began = performance.now()
  const length = minutes * 60_000
  const running: Promise<unknown>[] = []
  let latest = 0
  const starting = kindsOf(work).map(async (kind) => {
    const { each, hours } = DAY[kind]
    const all = hours.reduce((sum, one) => sum + one, 0)
    let due = 0
    for (;;) {
      const hour = hours[Math.floor((due / length) * hours.length)] as number
      due += length / hours.length / ((each * people * hour) / all)
      if (due >= length) return
      await sleep(Math.max(0, began + due - performance.now()))
      latest = Math.max(latest, performance.now() - began - due)
      running.push(carry(kind))
    }
  })
  const ended = Promise.all(starting).then(() => Promise.all(running))
  return { began, length, ended, latest: () => latest }
}

interface Reading {
  held: number
  resident: number
  files: number
}

async function memoryOf(server: Process): Promise<Pick<Reading, 'held' | 'resident'>> {
  const held = await heldBytes(server)
  return { held, resident: rss(server.pid) }
}

/** Counts open files each second: connections come and go with the load. @param shareAt of the day, from 0 to 1 */
function countFiles(servers: readonly Process[], shareAt: (at: number) => number) {
  const counts: { share: number; files: number[] }[] = []
  const timer = setInterval(() => {
    const files = servers.map(({ pid }) => readdirSync(`/proc/${pid}/fd`).length)
    counts.push({ share: shareAt(performance.now()), files })
  }, 1_000)
  const stop = () => clearInterval(timer)
  hold(stop)
  return {
    stop,
    /** The most of a server between these shares of the day. */
    most: (at: number, from: number, until: number) =>
      Math.max(
        ...counts.filter(({ share }) => share >= from && share <= until).map(({ files }) => files[at] ?? Number.NaN),
      ),
  }
}

function growth(readings: readonly Reading[][]): Line[] {
  return readings.flatMap(([first, last], at): Line[] => {
    if (!first || !last) return []
    const line = (what: string, key: keyof Reading, format: (value: number) => string): Line => {
      const ratio = last[key] / first[key]
      return {
        what: `server ${at + 1}: ${what}, in the last quarter and in the first`,
        product: format(last[key]),
        yardstick: format(first[key]),
        ratio,
        goal: { text: `≤ ${GROWTH_GOAL} ×`, met: ratio <= GROWTH_GOAL },
      }
    }
    return [
      line('heap and buffers after collection', 'held', bytes),
      line('resident', 'resident', bytes),
      line('open files', 'files', String),
    ]
  })
}

function tails(day: ReadonlyMap<string, number[]>, quiet: ReadonlyMap<string, number[]>): Line[] {
  const p99 = (times: readonly number[]) =>
    percentile(
      times.toSorted((a, b) => a - b),
      0.99,
    )
  return [...day].map(([step, times]): Line => {
    const before = quiet.get(step) ?? []
    const ratio = p99(times) / p99(before)
    const isKnown = times.length >= FEW && before.length >= FEW
    return {
      what: `${step} (${times.length}; ${before.length} in the quiet minute)`,
      product: ms(p99(times)),
      yardstick: ms(p99(before)),
      ratio,
      ...(isKnown && { goal: { text: `≤ ${TAIL_GOAL} ×`, met: ratio <= TAIL_GOAL } }),
    }
  })
}

/** Waits until the registers have printed what was queued. */
async function receiptsPrinted({ client }: BenchClinic): Promise<void> {
  const until = performance.now() + SETTLE_MS
  for (;;) {
    const { rows } = await client.query(
      `select 1 from fiscal_tasks where "status" not in ('done', 'cancelled') limit 1`,
    )
    if (rows.length === 0 || performance.now() > until) return
    await sleep(200)
  }
}
