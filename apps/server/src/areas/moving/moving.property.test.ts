import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { MOVER, openMove } from './testing/moves.ts'

/**
 * A clinic moves in by several files of the same tables, and works meanwhile: whatever is edited there and here, no card
 * and no kopeck is doubled, a change on one side alone stays, and the sums of the files are those of the ledger. An
 * evening that is taken back leaves cards and balances as they were before it, but for cards that people changed since.
 */
let clinic: Clinic
let admin: Caller
beforeAll(async () => {
  clinic = await testApp({ prepare: (app) => addPerson(app, 'mover', [...MOVER]) })
  admin = clinic.as('mover')
})
afterAll(() => clinic.close())

const PATIENTS = 4
/** Names alike only by chance of the other fields are no duplicates: each has a surname of its own. */
const surnames = ['Аистов', 'Бобров', 'Воробьёв', 'Галкин']

type Step =
  | { act: 'there'; who: number; note: string; debt: number; advance: number }
  | { act: 'here'; who: number; note: string }
  | { act: 'load' }
  | { act: 'undo' }

const words = fc.constantFrom('первое', 'второе', 'третье')
const who = fc.integer({ min: 0, max: PATIENTS - 1 })
const kopecks = fc.integer({ min: 0, max: 500_000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ act: fc.constant('there' as const), who, note: words, debt: kopecks, advance: kopecks }),
  fc.record({ act: fc.constant('here' as const), who, note: words }),
  fc.record({ act: fc.constant('load' as const) }),
  fc.record({ act: fc.constant('undo' as const) }),
)

const rubles = (sum: number) => (sum / 100).toFixed(2)
let runs = 0

it('doubles nothing, loses no edit of either side, and agrees with the ledger', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      const mark = `п${++runs}`
      const move = await openMove(clinic, admin, 'other')
      const there = surnames.map((surname, at) => ({
        id: `${mark}-${at}`,
        surname: `${surname}${'абвгдежз'[runs % 8]}${'иклмнопр'[(runs >> 3) % 8]}`,
        note: 'начало',
        debt: 0,
        advance: 0,
      }))
      // Expected three sides: the last file's value, the value here then, the value here now.
      const known = new Map<string, { file: string; here: string; now: string }>()
      let isTouched = false
      interface Evening {
        files: { customers: number; balances: number }
        known: Map<string, { file: string; here: string; now: string }>
        notes: Map<string, string | null>
        balances: Map<string, number>
        edited: Set<string>
        /** Its balances are taken back, and its cards could not be. */
        isHalf?: true
      }
      const evenings: Evening[] = []
      const balancesNow = async () => {
        const found = await clinic.db.query<{ surname: string; sum: number }>({
          text: `select c.surname, coalesce(sum(e.amount), 0)::int as sum from customers c
            left join ledger_accounts a on a."idCustomer" = c.id left join ledger_entries e on e."idAccount" = a.id
            where c.surname = any ($1::text[]) and not c.deleted group by 1`,
          values: [there.map((one) => one.surname)],
        })
        return new Map(found.map(({ surname, sum }) => [surname, sum]))
      }
      const notesNow = async () => new Map((await cards()).map(({ surname, note }) => [surname, note]))
      const load = async () => {
        const before = {
          known: new Map([...known].map(([id, one]) => [id, { ...one }])),
          notes: await notesNow(),
          balances: await balancesNow(),
          edited: new Set<string>(),
        }
        const customers = [
          'Код;Фамилия;Имя;Примечание',
          ...there.map((one) => `${one.id};${one.surname};Имя;${one.note}`),
        ]
        const file = await move.take('customers', customers.join('\n'))
        expect(file).toMatchObject({ state: 'done', wrong: 0 })
        const balances = [
          'Код пациента;Долг;Аванс',
          ...there.map((one) => `${one.id};${rubles(one.debt)};${rubles(one.advance)}`),
        ]
        const money = await move.take('balances', balances.join('\n'))
        expect(money).toMatchObject({ state: 'done', wrong: 0 })
        evenings.push({ ...before, files: { customers: file.id, balances: money.id } })
        let both = 0
        for (const { id, note } of there) {
          const one = known.get(id)
          if (!one) known.set(id, { file: note, here: note, now: note })
          else if (note !== one.file && note !== one.now) {
            if (one.now === one.here) Object.assign(one, { file: note, here: note, now: note })
            else both++
          }
        }
        expect(file.both).toBe(both)
      }
      /** Takes the last evening back, its balances first; cards that people changed since keep it from going. */
      const undo = async () => {
        const last = evenings.at(-1)
        if (!last || last.isHalf || evenings.length < 2) return
        const revert = async (id: number) => {
          const { status } = await admin.post(`/moving/files/${id}/revert`)
          await clinic.context.jobs.drain()
          return status
        }
        expect(await revert(last.files.balances)).toBe(200)
        expect(await balancesNow()).toEqual(last.balances)
        const status = await revert(last.files.customers)
        if (last.edited.size === 0) expect(status).toBe(200)
        if (status !== 200) {
          last.isHalf = true
          return
        }
        evenings.pop()
        const notes = await notesNow()
        for (const { id, surname } of there) {
          const one = last.known.get(id)
          if (!last.edited.has(id)) expect([surname, notes.get(surname)]).toEqual([surname, last.notes.get(surname)])
          if (one) known.set(id, { ...one, now: notes.get(surname) ?? '' })
        }
        // Records edited after the evening before still count as edited.
        for (const id of last.edited) evenings.at(-1)?.edited.add(id)
      }
      const cards = async () =>
        good(
          await admin.get(
            `/customers?filter[surname][in]=${encodeURIComponent(there.map((one) => one.surname).join(','))}&limit=100`,
          ),
        ).items as { id: number; surname: string; note: string | null }[]

      await load()
      for (const one of steps) {
        if (one.act === 'there')
          Object.assign(there[one.who] as object, { note: one.note, debt: one.debt, advance: one.advance })
        else if (one.act === 'load') await load()
        else if (one.act === 'undo') await undo()
        else {
          const { id, surname } = there[one.who] as (typeof there)[number]
          const card = (await cards()).find((found) => found.surname === surname)
          const held = known.get(id)
          if (held && held.now !== one.note) isTouched = true
          if (held && held.now !== one.note) evenings.at(-1)?.edited.add(id)
          if (held) held.now = one.note
          good(await admin.put(`/customers/${card?.id}`, { note: one.note }))
        }
      }
      await load()
      const before = await cards()
      // The same tables once more: nothing is made, nothing is posted.
      const [entries] = await clinic.db.query<{ count: number }>({
        text: 'select count(*)::int as count from ledger_entries',
      })
      await load()
      expect(await clinic.db.query({ text: 'select count(*)::int as count from ledger_entries' })).toEqual([entries])

      expect(before).toHaveLength(PATIENTS)
      for (const { id, surname } of there)
        expect([surname, before.find((one) => one.surname === surname)?.note]).toEqual([surname, known.get(id)?.now])
      for (const one of there) {
        const { id } = before.find(({ surname }) => surname === one.surname) as { id: number }
        const balance = one.debt - one.advance
        expect(good(await admin.get(`/customers/${id}/account`))).toMatchObject({
          debt: Math.max(0, balance) / 100,
          advance: Math.max(0, -balance) / 100,
        })
      }
      const { sums } = (await move.reconcile()) as {
        sums: { kind: string; file: number; left: number; here: number }[]
      }
      for (const kind of ['debt', 'advance'] as const) {
        const total = there.reduce((all, one) => all + one[kind], 0) / 100
        const sum = sums.find((found) => found.kind === kind)
        expect([kind, sum?.file ?? 0, sum?.here ?? 0]).toEqual([kind, total, total])
      }

      const { status } = await move.revertAll()
      if (isTouched) expect(status).toBe(409)
      else {
        expect(status).toBe(200)
        expect(await cards()).toEqual([])
        const left = await clinic.db.query({
          text: `select 1 from ledger_accounts a join ledger_entries e on e."idAccount" = a.id
            where a."idCustomer" = any ($1::bigint[]) group by a.id having sum(e.amount) <> 0`,
          values: [before.map(({ id }) => id)],
        })
        expect(left).toEqual([])
      }
    }),
    { numRuns: 3, endOnFailure: true },
  )
})
