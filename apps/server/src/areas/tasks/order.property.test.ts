/** The order of cards under concurrency: several people, two server processes, thousands of moves. */

import { everyRight } from '@ordinator/model/areas/tasks/rights'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPeople, good, hands } from './testing/hands.ts'

const T = '/tasks-management'
const LOGINS = ['anna', 'boris', 'vera', 'gleb', 'dina', 'egor'] as const
const CARDS = 30
const MOVES = runs(600, 10_000)

let clinic: Clinic
let second: Clinic
let callers: Caller[]
let idColumns: number[]
let idCards: number[]

beforeAll(async () => {
  let ids: Record<string, number> = {}
  clinic = await testApp({
    prepare: async (app) => void (ids = await addPeople(app, Object.fromEntries(LOGINS.map((login) => [login, []])))),
  })
  second = await clinic.secondProcess()
  callers = LOGINS.map((login, i) => (i % 2 ? second : clinic).as(login))
  const anna = hands(callers[0] as Caller)
  const board = await anna.board()
  for (const login of LOGINS.slice(1)) await anna.member(board.id, ids[login] as number, everyRight)
  // Unlinked columns: a linked one would also set the task's state.
  idColumns = []
  for (const name of ['а', 'б', 'в'])
    idColumns.push(good(await (callers[0] as Caller).post(`${T}/columns`, { idBoard: board.id, name }), 201).id)
  idCards = []
  for (let i = 0; i < CARDS; i++) {
    const task = await anna.task(idColumns[i % idColumns.length], { name: `Задача ${i}` })
    idCards.push((await anna.card(task.id)).id)
  }
})
afterAll(async () => {
  await second.close()
  await clinic.close()
})

const move = fc.record({
  who: fc.nat(LOGINS.length - 1),
  card: fc.nat(CARDS - 1),
  column: fc.nat(2),
  place: fc.constantFrom('before' as const, 'after' as const, 'first' as const, 'last' as const),
  /** Index of the neighbour among the column's other cards. */
  beside: fc.nat(CARDS - 1),
})
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never

async function read(): Promise<number[][]> {
  const columns: number[][] = []
  for (const idColumn of idColumns) {
    const { items } = good(
      await (callers[0] as Caller).get(`${T}/assigned?filter[idColumn]=${idColumn}&sort=order&limit=500`),
    )
    columns.push(items.map((card: { id: number }) => card.id))
  }
  return columns
}

/** The body of a move, and the resulting column. */
function planned(columns: number[][], { card, column, place, beside }: Move) {
  const id = idCards[card] as number
  const others = (columns[column] as number[]).filter((one) => one !== id)
  const to = { idColumn: idColumns[column] }
  const neighbour = others[beside % others.length]
  if (place === 'first' || neighbour === undefined) return { id, body: { at: 'first', to }, after: [id, ...others] }
  if (place === 'last') return { id, body: { at: 'last', to }, after: [...others, id] }
  const at = others.indexOf(neighbour) + (place === 'after' ? 1 : 0)
  return { id, body: { [place]: neighbour, to }, after: others.toSpliced(at, 0, id) }
}

it('each card is at its requested place', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 20, maxLength: 60 }), async (moves) => {
      let columns = await read()
      for (const one of moves) {
        const { id, body, after } = planned(columns, one)
        good(await (callers[one.who] as Caller).post(`${T}/assigned/${id}/move`, body))
        columns = columns.map((cards, at) => (at === one.column ? after : cards.filter((other) => other !== id)))
      }
      expect(await read()).toEqual(columns)
    }),
    { numRuns: runs(4, 60) },
  )
})

it('thousands of concurrent moves lose, duplicate and misplace none, and each writes one row', {
  timeout: 300_000,
}, async () => {
  const { id: from } = (await clinic.db.one<{ id: string }>({ text: 'select max(id) as id from history' })) as {
    id: string
  }
  const moves = fc.sample(move, { numRuns: MOVES, seed: 20_261_120 })
  let refused = 0
  await Promise.all(
    callers.map(async (caller, who) => {
      for (const one of moves.filter((m) => m.who === who)) {
        // Concurrent moves are unpredictable: a neighbour may have left the column.
        const { id, body } = planned([idCards, idCards, idCards], one)
        const { status, text } = await caller.post(`${T}/assigned/${id}/move`, body)
        if (status === 200) continue
        expect(status, text).toBe(422)
        refused++
      }
    }),
  )
  const columns = await read()
  expect(columns.flat().toSorted((a, b) => a - b)).toEqual(idCards.toSorted((a, b) => a - b))
  const cards = await clinic.db.query<{ idColumn: number; order: string }>({
    text: 'select "idColumn", "order" from tasks_management_assigned where not deleted',
  })
  expect(new Set(cards.map((card) => `${card.idColumn} ${card.order}`)).size).toBe(CARDS)
  // Renumbering a column, once in very many moves between the same two cards, stores no former place.
  const writes = await clinic.db.query<{ requestId: string; rows: number }>({
    text: `select "requestId", count(*)::int as rows from history where id > $1 and path = 'tasks-management/assigned'
      and not (changes ? 'order' and changes -> 'order' -> 0 = 'null') group by "requestId"`,
    values: [from],
  })
  expect(writes.every(({ rows }) => rows === 1)).toBe(true)
  expect(writes.length).toBeGreaterThan((MOVES - refused) * 0.8)
  expect(writes.length).toBeLessThanOrEqual(MOVES - refused)
})

it('concurrently created, moved and completed cards share no place', async () => {
  const caller = callers[0] as Caller
  const anna = hands(caller)
  const board = await anna.board()
  const places = async (idColumn: number) =>
    (
      await clinic.db.query<{ order: string }>({
        text: 'select "order" from tasks_management_assigned where "idColumn" = $1 and not deleted',
        values: [idColumn],
      })
    ).map(({ order }) => order)
  const apart = async (idColumn: number, count: number) => {
    const found = await places(idColumn)
    expect([found.length, new Set(found).size]).toEqual([count, count])
  }
  const at = Array.from({ length: 12 }, (_, n) => n)
  const servers = [caller, second.withToken((await caller.token()) as string)]
  const tasks = await Promise.all(
    at.map((n) => hands(servers[n % 2] as Caller).task(board.idColumnNew, { name: `Сразу ${n}` })),
  )
  await apart(board.idColumnNew, 12)
  const plain = good(await caller.post(`${T}/columns`, { idBoard: board.id, name: 'Сразу' }), 201).id
  const cards = await Promise.all(tasks.map(({ id }) => anna.card(id)))
  await Promise.all(cards.map(async ({ id }) => good(await caller.put(`${T}/assigned/${id}`, { idColumn: plain }))))
  await apart(plain, 12)
  await Promise.all(tasks.map(async ({ id }) => good(await caller.put(`${T}/tasks/${id}`, { isCompleted: true }))))
  await apart(board.idColumnCompleted, 12)
})
