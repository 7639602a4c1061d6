import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { dayAfter, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>

beforeAll(async () => {
  clinic = await testApp({ prepare: (app) => addPerson(app, 'keeper', worldOf.rights) })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

const RIVALS = 200

it('of many concurrent requests for one time exactly one succeeds, and the others get a message', async () => {
  const { book, idDoctors } = await worlds.make({ rooms: [{}] })
  const answers: number[] = []
  // Below the limit of concurrent requests.
  const AT_ONCE = 20
  for (let at = 0; at < RIVALS; at += AT_ONCE) {
    const some = await Promise.all(Array.from({ length: AT_ONCE }, () => book('10:00')))
    answers.push(...some.map(({ status }) => status))
  }
  expect(answers.filter((status) => status === 201)).toHaveLength(1)
  expect(answers.filter((status) => status === 409)).toHaveLength(RIVALS - 1)
  expect(await standing(idDoctors)).toHaveLength(1)
})

interface Standing {
  idUser: number
  idRoom: number
  from: number
  to: number
}

/** The coupons that take the doctors' time, by the coupons themselves. */
const standing = (idDoctors: readonly number[]) =>
  clinic.db.query<Standing>({
    text: `select c."idUser", c."idRoom", extract(epoch from c."dateFrom")::float8 as "from",
        extract(epoch from c."dateTo")::float8 as "to"
      from coupons c join appointments a on a."id" = c."idAppointment"
      where c."idUser" = any ($1) and not c."deleted" and a."visitStatus" not in ('cancelled', 'moved', 'noShow')`,
    values: [idDoctors],
  })

it('concurrent random bookings, moves and cancellations never make two visits overlap', async () => {
  const start = fc
    .integer({ min: 0, max: 35 })
    .map((at) => `${String(9 + Math.floor(at / 12)).padStart(2, '0')}:${String((at % 12) * 5).padStart(2, '0')}`)
  const step = fc.record({
    what: fc.constantFrom('book', 'book', 'book', 'move', 'cancel'),
    doctor: fc.integer({ min: 0, max: 1 }),
    start,
    which: fc.nat({ max: 30 }),
    minutes: fc.constantFrom(10, 20, 30),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      // Two doctors share one room with one place: they conflict in the room.
      const { book, idDoctors } = await worlds.make({ doctors: 2, rooms: [{}] })
      const ids: number[] = []
      const seen = new Set<number>()
      const run = async ({ what, doctor, start: localStart, which, minutes }: (typeof steps)[number]) => {
        const id = ids[which % Math.max(1, ids.length)]
        if (what === 'book' || id === undefined) {
          const answer = await book(localStart, {}, { idUser: idDoctors[doctor], minutes })
          if (answer.status === 201) ids.push(answer.body.id)
          return answer.status
        }
        const body =
          what === 'move'
            ? { localDate: dayAfter(30), localStart, idUser: idDoctors[doctor], minutes }
            : { status: 'cancelled', cancelReason: 'time' }
        return (await keeper.post(`/appointments/${id}/${what === 'move' ? 'move' : 'status'}`, body)).status
      }
      for (let at = 0; at < steps.length; at += 6)
        for (const status of await Promise.all(steps.slice(at, at + 6).map(run))) seen.add(status)
      const all = await standing(idDoctors)
      for (const [at, a] of all.entries())
        for (const b of all.slice(at + 1))
          if (a.idUser === b.idUser || a.idRoom === b.idRoom)
            expect(a.to <= b.from || b.to <= a.from, JSON.stringify([a, b])).toBe(true)
      // The ledger agrees, and each request succeeded or was refused with a message.
      const [ledger] = await clinic.db.query<{ lines: number }>({
        text: `select count(*)::int as lines from visit_occupancy where "resource" = any ($1)`,
        values: [idDoctors],
      })
      expect(ledger?.lines).toBe(all.length)
      expect([...seen].filter((status) => ![200, 201, 409].includes(status))).toEqual([])
      good(await keeper.get('/appointments?limit=1'))
    }),
    { numRuns: runs(3, 60) },
  )
})
