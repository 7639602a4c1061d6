/** Bonuses over HTTP: earned by paid and given lines, spent on services, returned, taken back and expired. */

import { plusDays } from '@ordinator/model/zone'
import { beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { billing } from './testing/billing.ts'
import {
  add,
  balanced,
  cashier,
  chosen,
  clinic,
  desk,
  has,
  idOrganization,
  keeper,
  openBonusClinic,
  program,
  read,
  today,
} from './testing/bonusClinic.ts'
import { worldOf } from './testing/world.ts'

openBonusClinic()

describe('a payment', () => {
  it('earns by the best programme once the service is given, from the valid day until the last day', async () => {
    await program({ delayDays: 14, lifeDays: 90 })
    const best = await program({
      percent: 10,
      tiers: [{ fromSum: 1_000_000, percent: 50 }],
      delayDays: 14,
      lifeDays: 90,
    })
    await program({ percent: 40, exceptServices: [desk.idService] })
    await program({ percent: 40, tags: ['VIP'] })
    await program({ percent: 40, dateTo: plusDays(today(), -1) })
    const { id, idCustomer, lines } = await desk.visit([1, 1.5])
    good(await desk.take(idCustomer, 1000, { lines: chosen(lines.slice(0, 1), 1000) }))
    // Paid ahead, so nothing is earned yet.
    expect((await read(idCustomer)).lines).toEqual([])
    good(await desk.done(lines[0] as number), 204)
    const from = plusDays(today(), 14)
    expect(await read(idCustomer)).toMatchObject({
      available: 0,
      coming: [{ day: from, sum: 100 }],
      lines: [{ comment: expect.stringMatching(/^Оплата: /), sum: 100 }],
    })
    expect(good(await cashier.get(`/bonuses?filter[idCustomer]=${idCustomer}`)).items).toMatchObject([
      { idProgram: best, percent: 10, sum: 100, left: 100, dateFrom: from, dateTo: plusDays(from, 90), owed: 0 },
    ])
    // A part of a line earns its part; the rest earns the rest.
    good(await desk.to(id, 'inProgress'))
    good(await desk.to(id, 'completed'))
    good(await desk.take(idCustomer, 500))
    good(await desk.take(idCustomer, 1000))
    expect((await read(idCustomer)).coming).toEqual([{ day: from, sum: 250 }])
    expect(good(await keeper.get(`/discounts/bonus-programs/${best}`)).given).toBe(250)
    await balanced(idCustomer)
  })

  it('earns nothing on a tariff without programmes, and keeps earlier bonuses', async () => {
    await program({ percent: 10 })
    const { idCustomer, lines } = await desk.visit([1, 2])
    good(await desk.take(idCustomer, 1000))
    good(await desk.done(lines[0] as number), 204)
    const before = await has(idCustomer)
    expect(before).toBeGreaterThan(0)
    good(await keeper.put('/settings/common', { tariff: 'basic' }))
    try {
      good(await desk.take(idCustomer, 2000))
      good(await desk.done(lines[1] as number), 204)
      expect(await has(idCustomer)).toBe(before)
    } finally {
      good(await keeper.put('/settings/common', { tariff: 'premium' }))
    }
  })

  it('earns by money only: nothing by a certificate or a write-off', async () => {
    await program()
    const [own, other] = [await desk.visit([2]), await desk.visit([1])]
    good(
      await desk.take(other.idCustomer, 600, { sells: { number: `БОН-${desk.key()}`, dateTo: plusDays(today(), 5) } }),
    )
    const { items } = good(await keeper.get(`/certificates?filter[idBuyer]=${other.idCustomer}`))
    good(await desk.done(own.lines[0] as number), 204)
    const parts = [
      { method: 'certificate', certificate: items[0].number, sum: 600 },
      { method: 'cash', sum: 400 },
    ]
    good(await desk.take(own.idCustomer, 0, { parts }))
    good(await desk.correct(own.idCustomer, 'writeOff', 500), 201)
    expect(await has(own.idCustomer)).toBe(20)
    await balanced(own.idCustomer)
  })

  it('loses its bonuses with the refund; a spent amount is collected from the next ones', async () => {
    await program({ percent: 20 })
    const { idCustomer, lines } = await desk.visit([1])
    good(await desk.done(lines[0] as number), 204)
    const { id } = good(await desk.take(idCustomer, 1000))
    expect(await has(idCustomer)).toBe(200)
    const next = await desk.visit([1], { idCustomer })
    good(await desk.take(idCustomer, 0, { parts: [], bonus: 150, lines: chosen(next.lines, 1000) }))
    expect(await has(idCustomer)).toBe(50)
    good(await desk.refund(id, 400))
    // 80 are taken back: the 50 that are left, and 30 of the next.
    expect(await has(idCustomer)).toBe(0)
    good(await add(idCustomer, 100), 201)
    expect(await has(idCustomer)).toBe(70)
    await balanced(idCustomer)
    good(await desk.take(idCustomer, 400))
    expect(await has(idCustomer)).toBe(150)
    await balanced(idCustomer)
  })

  it('earns once, however often it is refunded and paid again', async () => {
    await program({ percent: 10 })
    const { idCustomer, lines } = await desk.visit([1])
    good(await desk.done(lines[0] as number), 204)
    const { id } = good(await desk.take(idCustomer, 1000))
    good(await add(idCustomer, 100, { kind: 'takeOff' }), 201)
    good(await desk.refund(id, 1000))
    const owed = async () => good(await cashier.get(`/bonuses?filter[idCustomer]=${idCustomer}`)).items
    expect(await owed()).toMatchObject([{ sum: 0, left: 0, owed: 100 }])
    const again = good(await desk.take(idCustomer, 1000))
    expect(await owed()).toMatchObject([{ sum: 100, left: 0, owed: 0 }])
    good(await desk.refund(again.id, 1000))
    good(await desk.take(idCustomer, 1000))
    expect(await has(idCustomer)).toBe(0)
    await balanced(idCustomer)
  })

  it('is taken and spent even if the service left the catalogue, also by the terminal', async () => {
    await program({ percent: 10 })
    const place = await billing(keeper, worldOf(clinic, keeper), idOrganization)
    const { idCustomer, lines } = await place.visit([1, 1])
    const [first, second] = lines as [number, number]
    good(await add(idCustomer, 300), 201)
    good(await place.done(first), 204)
    await clinic.db.query({ text: 'update services set "deleted" = true where "id" = $1', values: [place.idService] })
    good(await place.take(idCustomer, 0, { parts: [{ method: 'card', sum: 1000 }] }))
    expect([await has(idCustomer), await place.owes(idCustomer)]).toEqual([400, [0, 0]])
    good(await place.done(second), 204)
    expect((await read(idCustomer, `limit=0&lines=${second}`)).most).toBe(300)
    good(await place.take(idCustomer, 700, { bonus: 300, lines: chosen([second], 1000) }))
    expect([await has(idCustomer), await place.owes(idCustomer)]).toEqual([170, [0, 0]])
    await balanced(idCustomer)
  })

  it('is posted when earning fails: the job earns it later, separately for each customer', async () => {
    await program({ percent: 10 })
    const [one, other] = [await desk.visit([1]), await desk.visit([1])]
    for (const { lines } of [one, other]) good(await desk.done(lines[0] as number), 204)
    await clinic.db.query({
      text: `create function no_bonuses() returns trigger language plpgsql as
        $$ begin if tg_argv[0] in ('', new."idCustomer"::text) then raise 'no bonuses'; end if; return new; end $$`,
    })
    const forbid = async (idCustomer: number | '') => {
      await clinic.db.query({ text: 'drop trigger if exists no_bonuses on bonuses' })
      await clinic.db.query({
        text: `create trigger no_bonuses before insert on bonuses for each row execute function no_bonuses('${idCustomer}')`,
      })
    }
    try {
      await forbid('')
      for (const { idCustomer } of [one, other]) {
        const paid = good(await desk.take(idCustomer, 0, { parts: [{ method: 'card', sum: 1000 }] }))
        expect(await desk.receipts(paid.id)).toHaveLength(1)
        expect([await has(idCustomer), await desk.owes(idCustomer)]).toEqual([0, [0, 0]])
      }
      await forbid(one.idCustomer)
      await clinic.context.jobs.run('money.bonuses')
      expect([await has(one.idCustomer), await has(other.idCustomer)]).toEqual([0, 100])
    } finally {
      await clinic.db.query({ text: 'drop function no_bonuses cascade' })
    }
    await clinic.context.jobs.run('money.bonuses')
    await clinic.context.jobs.run('money.bonuses')
    expect([await has(one.idCustomer), await has(other.idCustomer)]).toEqual([100, 100])
    await balanced(one.idCustomer)
  })

  it('earns nothing more when the service is taken back', async () => {
    await program()
    const { idCustomer, lines } = await desk.visit([1])
    good(await desk.done(lines[0] as number), 204)
    good(await desk.take(idCustomer, 1000))
    expect(await has(idCustomer)).toBe(50)
    good(await desk.done(lines[0] as number, false), 204)
    expect(await has(idCustomer)).toBe(0)
    await balanced(idCustomer)
  })
})

describe('a friend who was brought', () => {
  const set = (values: object) =>
    clinic.db.query({
      text: `insert into common_settings (name, value) select key, value from jsonb_each($1::jsonb)
        on conflict (name) do update set value = excluded.value`,
      values: [JSON.stringify(values)],
    })
  let serial = 0
  const person = async (more: object = {}) =>
    good(
      await keeper.post('/customers', {
        ...{ surname: `Дружинин${++serial}`, name: 'Олег', birthday: '03.04.1991' },
        ...{ phone: `+7916${String(3_000_000 + serial)}`, ...more },
      }),
      201,
    ).id as number
  const codeOf = async (id: number) => good(await keeper.get(`/customers/${id}/invite-code`)).code as string
  const brought = async (id: number, code: string) => good(await keeper.post(`/customers/${id}/invite`, { code }))
  const run = () => clinic.context.jobs.run('outside.invites')
  const stateOf = async (idFriend: number) =>
    good(await keeper.get(`/invites?filter[idFriend]=${idFriend}`)).items[0] as { state: string; reason: string }
  /** A given and paid visit. */
  const paidVisit = async (idCustomer: number) => {
    const { id, lines } = await desk.visit([1], { idCustomer })
    // It has begun before the code was given.
    await clinic.db.query({
      text: `update appointments set "dateFrom" = least("dateFrom", now() - interval '1 hour') where "id" = $1`,
      values: [id],
    })
    good(await desk.to(id, 'inProgress'))
    for (const line of lines) good(await desk.done(line), 204)
    good(await desk.to(id, 'completed'))
    return good(await desk.take(idCustomer, 1000)).id as number
  }
  beforeAll(() =>
    set({ friendReward: 500, friendGift: 300, friendLeastPaid: 500, friendMostInYear: 2, friendLifeDays: 30 }),
  )

  it('gives both bonuses once, after the first paid visit, and a refund takes them back', async () => {
    const [inviter, friend] = [await person(), await person()]
    const code = await codeOf(inviter)
    expect([await codeOf(inviter), code]).toEqual([code, expect.stringMatching(/^[A-Z2-9]{7}$/)])
    expect(await brought(friend, code.toLowerCase())).toEqual({ state: 'waits', reason: null })
    expect(await brought(friend, code)).toMatchObject({ state: 'waits' })
    // A booking alone, and money paid ahead, bring nothing.
    good(await desk.take(friend, 100))
    await run()
    expect([await has(inviter), await has(friend)]).toEqual([0, 0])
    const payment = await paidVisit(friend)
    await Promise.all([run(), run()])
    await run()
    expect([await has(inviter), await has(friend)]).toEqual([500, 300])
    good(await desk.refund(payment, 800))
    await Promise.all([run(), run()])
    expect([await has(inviter), await has(friend)]).toEqual([0, 0])
    expect(await stateOf(friend)).toMatchObject({ state: 'taken' })
    // Paid again, it is not given again.
    good(await desk.take(friend, 1000))
    await run()
    expect([await has(inviter), await has(friend)]).toEqual([0, 0])
    await balanced(inviter)
  })

  it('is a new patient: not oneself, not an old one, not another card of the same', async () => {
    const inviter = await person({ phone: '+79165550101' })
    const code = await codeOf(inviter)
    const refused = async (id: number) => (await brought(id, code)).reason as string
    expect(await refused(inviter)).toMatch(/сам себя/)
    const old = await person()
    await paidVisit(old)
    expect(await refused(old)).toMatch(/уже бывал/)
    expect(await refused(await person({ phone: '+79165550101' }))).toMatch(/С этим телефоном/)
    await person({ surname: 'Двойников', name: 'Пётр', birthday: '05.06.1980' })
    expect(await refused(await person({ surname: 'двойников', name: 'Пётр', birthday: '05.06.1980' }))).toMatch(
      /именем и датой рождения/,
    )
    expect((await keeper.post(`/customers/${await person()}/invite`, { code: 'NOBODY' })).body[0].field).toBe('code')
    // A card that is joined to an old one later brings nothing.
    const late = await person()
    expect((await brought(late, code)).state).toBe('waits')
    await clinic.db.query({ text: `update customers set phone = '+79165550101' where id = $1`, values: [late] })
    await paidVisit(late)
    await run()
    expect(await stateOf(late)).toMatchObject({ state: 'refused' })
    expect(await has(inviter)).toBe(0)
  })

  it('counts up to the limit of a year', async () => {
    const inviter = await person()
    const code = await codeOf(inviter)
    const friends = [await person(), await person(), await person()]
    for (const friend of friends) {
      await brought(friend, code)
      await paidVisit(friend)
    }
    await run()
    const states = []
    for (const friend of friends) states.push((await stateOf(friend)).state)
    expect(states).toEqual(['rewarded', 'rewarded', 'refused'])
    expect(await has(inviter)).toBe(1000)
    await balanced(inviter)
  })
})
