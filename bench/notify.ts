/**
 * What a NOTIFY within a transaction costs: PostgreSQL commits such transactions one after another. 24 clients insert
 * rows, one a transaction: with no signal, with one within each transaction, and with one outside for all within ten
 * milliseconds, as the product signals most writes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../apps/server/src/platform/postgres/postgres.ts'
import { hold, release } from './clinic.ts'
import { type Line, median, type Part, withGoal } from './table.ts'

const CLIENTS = 24
const ROUNDS = 5
const ROUND_MS = 2_000
const COALESCE_MS = 10
/** How many times fewer commits a second the product's way may have than no signals. */
const GOAL = 1.25
const WAYS = ['none', 'inside', 'after'] as const
type Way = (typeof WAYS)[number]

const INSERT = `insert into noted ("text") values (repeat('x', 200))`
const NOTED = `with made as (${INSERT} returning "id") select pg_notify('noted', "id"::text) from made`

export async function measureNotify(): Promise<Part> {
  const dir = mkdtempSync(join(import.meta.dirname, '../.cache/bench-'))
  hold(async () => rmSync(dir, { recursive: true, force: true }))
  const postgres = await startPostgres(dir)
  hold(() => postgres.stop())
  const open = async () => {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    hold(() => client.end())
    return client
  }
  const [listener, mouth] = [await open(), await open()]
  await listener.query('listen noted')
  await listener.query('create table noted ("id" bigserial primary key, "text" text)')
  await mouth.query('set synchronous_commit = off')
  const clients = await Promise.all(Array.from({ length: CLIENTS }, open))

  const lines: Line[] = []
  for (const durable of ['on', 'off']) {
    for (const client of clients) await client.query(`set synchronous_commit = ${durable}`)
    const found = new Map<Way, number[]>(WAYS.map((way) => [way, []]))
    for (let round = 0; round <= ROUNDS; round++)
      for (const way of WAYS) {
        const commits = await commitsBy(way, clients, mouth)
        // The first round only warms up.
        if (round > 0) found.get(way)?.push(commits)
      }
    const of = (way: Way) => median(found.get(way) as number[])
    const shown = (way: Way) => `${Math.round(of(way)).toLocaleString('en')}/s`
    for (const way of ['inside', 'after'] as const) {
      const line = {
        what: `synchronous_commit=${durable}, the signal ${way === 'inside' ? 'within each transaction' : 'outside, one for all in 10 ms'}`,
        product: shown(way),
        yardstick: shown('none'),
        ratio: of('none') / of(way),
      }
      lines.push(withGoal(line, way === 'after' ? GOAL : undefined))
    }
  }
  await release()
  return {
    title: `Commits a second of ${CLIENTS} writers with and without NOTIFY`,
    lines,
    notes: [`median of ${ROUNDS} rounds of ${ROUND_MS / 1_000} s, the ways by turns; one connection listens`],
  }
}

async function commitsBy(way: Way, clients: readonly pg.Client[], mouth: pg.Client): Promise<number> {
  const began = performance.now()
  let commits = 0
  let isOwed = false
  let isOver = false
  const writing = (async () => {
    while (way === 'after' && !isOver) {
      await sleep(COALESCE_MS)
      if (isOwed) await mouth.query(`select pg_notify('noted', '')`)
      isOwed = false
    }
  })()
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - began < ROUND_MS) {
        await client.query(way === 'inside' ? NOTED : INSERT)
        commits++
        isOwed = true
      }
    }),
  )
  const seconds = (performance.now() - began) / 1_000
  isOver = true
  await writing
  return commits / seconds
}
