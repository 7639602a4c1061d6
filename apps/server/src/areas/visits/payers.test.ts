/** Payers over HTTP: coverage at the booking, shares, limits, lists, registries; the ledger agrees with all of them. */

import { runs } from '@ordinator/model/testing/runs'
import { plusDays } from '@ordinator/model/zone'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dbfOf } from '#platform/dbf.ts'
import { good } from '#testing/good.ts'
import { csv, importFiles } from '#testing/importFiles.ts'
import {
  anotherDesk,
  claim,
  clinic,
  complete,
  consent,
  desk,
  finish,
  insure,
  keeper,
  openPayersClinic,
  payer,
  today,
  year,
} from './testing/payersClinic.ts'

openPayersClinic()

let serial = 0

const shares = async (id: number) =>
  (await clinic.db.query<{ insurer: number; due: number }>({
    text: `select l."insurer"::float8 as insurer, (round(l."price" * l."qty", 2) - l."discount" - l."insurer")::float8 as due
      from coupon_services l join coupons c on c."id" = l."idCoupon" where c."idAppointment" = $1 order by l."id"`,
    values: [id],
  })) as { insurer: number; due: number }[]

it('shares a line between the payer and the patient, to each account, whatever happens to the visit', async () => {
  const one = await payer({ copay: 20 }, [{ kind: 'limit', idService: desk.idService, qty: 2 }])
  const who = await insure(one)
  const visit = await desk.visit([1], { idCustomer: who })
  expect(await shares(visit.id)).toEqual([{ insurer: 800, due: 200 }])
  const coverage = good(await keeper.get(`/appointments/${visit.id}/coverage`))
  expect(coverage).toMatchObject({
    insured: { programme: 'Стандарт' },
    lines: [{ isCovered: true, payer: 800, patient: 200, words: 'Покрыто, осталось 1 из 2' }],
  })
  expect((await desk.unpaid(who, `?idAppointment=${visit.id}`))[0]).toMatchObject({ due: 200 })
  expect(await claim(one)).toBe(0)
  good(await finish(visit.id))
  expect([await claim(one), await desk.owes(who)]).toEqual([800, [200, 0]])
  good(await desk.to(visit.id, 'inProgress'))
  expect([await claim(one), await desk.owes(who)]).toEqual([0, [0, 0]])
  good(await finish(visit.id))
  const paid = good(await desk.take(who, 200))
  expect((await desk.receipts(paid.id))[0].task).toMatchObject({ total: 200_00, items: [{ amount: 200_00 }] })
  // The second is covered, the third is beyond the limit; a cancelled one gives its place back.
  const second = good(await desk.book(who, [{ idService: desk.idService, qty: 1 }]), 201)
  const third = good(await desk.book(who, [{ idService: desk.idService, qty: 1 }]), 201)
  expect([await shares(second.id), await shares(third.id)]).toEqual([
    [{ insurer: 800, due: 200 }],
    [{ insurer: 0, due: 1000 }],
  ])
  good(await desk.to(second.id, 'cancelled', { cancelReason: 'ill' }))
  const [line] = await desk.linesOf(third.id)
  expect(good(await keeper.post(`/coupon-services/${line?.id}/payer`, { isOwn: false }))).toEqual({
    insurer: 800,
    patient: 200,
  })
  expect(good(await keeper.post(`/coupon-services/${line?.id}/payer`, { isOwn: true }))).toEqual({
    insurer: 0,
    patient: 1000,
  })
  expect(await claim(one)).toBe(800)
})

it('holds a limit under eight rivals', async () => {
  const one = await payer({}, [{ kind: 'limit', qty: 3 }])
  const who = await insure(one)
  const visits = await Promise.all(
    Array.from({ length: 8 }, () => desk.book(who, [{ idService: desk.idService, qty: 1 }])),
  )
  const all = await Promise.all(visits.map(async (answer) => shares(good(answer, 201).id)))
  expect(all.flat().filter(({ insurer }) => insurer > 0)).toHaveLength(3)
})

it('asks for a letter where the contract says so, and shows the terms of a programme for a service', async () => {
  const one = await payer({ letter: 'always' })
  const who = await insure(one)
  const visit = good(await desk.book(who, [{ idService: desk.idService, qty: 1 }]), 201)
  expect(await shares(visit.id)).toEqual([{ insurer: 0, due: 1000 }])
  expect(good(await keeper.get(`/appointments/${visit.id}/coverage`)).lines).toMatchObject([
    { needsLetter: true, words: 'Нужно гарантийное письмо' },
  ])
  const ask = (to: number) => keeper.post(`/appointments/${visit.id}/letter-task`, { name: 'Письмо', idBoard: to })
  const task = good(await ask(await board()), 201)
  const { description } = good(await keeper.get(`/tasks-management/tasks/${task.id}`))
  expect(description.replace(/\s/g, ' ')).toMatch(/по полису П-\d+, программа «Стандарт».*Сумма 1 000,00 ₽\./)
  const letter = {
    idCustomer: who,
    idInsurer: one.idPayer,
    number: 'Г-1',
    dateFrom: today,
    dateTo: `${year}-12-31`,
    limit: 600,
  }
  const { id } = good(await keeper.post('/guarantee-letters', letter), 201)
  const [line] = await desk.linesOf(visit.id)
  expect(good(await keeper.post(`/coupon-services/${line?.id}/payer`, { isOwn: false }))).toEqual({
    insurer: 600,
    patient: 400,
  })
  expect(good(await keeper.get(`/guarantee-letters/${id}`))).toMatchObject({ used: 600 })
  const two = await payer({ copay: 10 }, [{ kind: 'deny', diagnoses: 'K00-K14' }, { kind: 'allow' }])
  const asked = { idProgramme: two.idProgramme, idService: desk.idService }
  const check = async (more: object) =>
    good(await keeper.post(`/payer-contracts/${two.idContract}/check`, { ...asked, ...more }))
  expect(await check({ diagnosis: 'K02.1' })).toMatchObject({ isCovered: false, words: 'Не покрыто программой' })
  expect(await check({})).toMatchObject({ isCovered: true, total: 1000, payer: 900, patient: 100 })
})

it('loads a list twice without a change, finds cards by name and birthday, and closes the absent of a full one', async () => {
  const one = await payer()
  const { take } = importFiles(clinic, 'insured')
  const { id } = good(
    await keeper.post('/customers', {
      surname: 'Сидорова',
      name: 'Анна',
      middleName: 'Петровна',
      birthday: '03.04.1990',
    }),
    201,
  )
  const params = { idContract: one.idContract, idProgramme: one.idProgramme, kind: 'full', day: today }
  const head = 'Полис;Фамилия;Имя;Отчество;Дата рождения'
  const list = csv(head, '77-1;Сидорова;Анна;Петровна;03.04.1990', '77-2;Петров;Пётр;;01.02.1980')
  expect(await take(keeper, list, params)).toMatchObject({ state: 'done', created: 2 })
  const counts = async () =>
    good(await keeper.get(`/insured-persons?filter[idContract]=${one.idContract}&sort=policy`)).items
  const first = await counts()
  expect(first).toMatchObject([
    { policy: '77-1', idCustomer: id, dateTo: null },
    { policy: '77-2', idCustomer: null },
  ])
  expect(await take(keeper, list, params)).toMatchObject({ state: 'done', created: 0, failed: 0 })
  expect(await counts()).toEqual(first)
  // An error is reported at its row, and the rest is taken; a known person is changed, and another surname kept.
  const more = csv(
    `${head};По`,
    '77-2;Петров;Пётр;;01.02.1980;31.12.2099',
    '77-2;Дважды;;;;',
    '77-3;Поздно;Ия;;;01.01.2020',
  )
  expect(await take(keeper, more, { ...params, kind: 'add' }, { skipWrong: true })).toMatchObject({
    created: 1,
    failed: 2,
  })
  expect(await counts()).toMatchObject([
    first[0],
    { ...first[1], dateTo: '2099-12-31', birthday: '01.02.1980', _version: 2 },
  ])
  await take(keeper, list, params)
  // The same by DBF, as programs of insurers write it.
  const fields = ['POLIS', 'FAM', 'IM', 'OT', 'DR'].map((name) => ({ name, label: name }))
  const table = dbfOf(
    fields,
    list
      .split('\r\n')
      .slice(1)
      .map((row) => row.split(';')),
    today,
  )
  expect(await take(keeper, table, params)).toMatchObject({ state: 'done', created: 0, failed: 0 })
  expect(await counts()).toEqual([first[0], { ...first[1], _version: 3 }])
  await clinic.db.query({
    text: `update insured_persons set "dateListed" = "dateListed" - 30 where "idContract" = $1`,
    values: [one.idContract],
  })
  await take(keeper, csv(head, '77-2;Петров;Пётр;;01.02.1980'), params)
  const close = (more: object) =>
    keeper.post(`/payer-contracts/${one.idContract}/close-absent`, { day: today, ...more })
  expect(good(await close({ dryRun: true }))).toEqual({ closed: 1, kept: 1 })
  expect(good(await close({}))).toEqual({ closed: 1, kept: 1 })
  expect(await counts()).toMatchObject([
    { policy: '77-1', dateTo: today },
    { policy: '77-2', dateTo: null },
  ])
})

/** A board, whose column for new tasks comes with it. */
const board = async (): Promise<number> =>
  good(await keeper.post('/tasks-management/boards', { name: `Письма ${++serial}` }), 201).id

it('counts what payers accept instead of what was claimed, by a setting; a late answer in its own month', async () => {
  await anotherDesk()
  const { idFilial } = desk
  const one = await payer()
  const who = await insure(one)
  const { id: visit } = await desk.visit([1], { idCustomer: who })
  good(await finish(visit))
  // The service was in the month before.
  const [now, before] = [today.slice(0, 7), plusDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7)]
  await clinic.db.tx(async (tx) => {
    await tx.query({ text: 'alter table ledger_txs disable trigger ledger_txs_keep' })
    await tx.query({
      text: `update ledger_txs set "localDate" = $1 where "idCouponService" in (select l."id" from coupon_services l
        join coupons c on c."id" = l."idCoupon" where c."idFilial" = $2)`,
      values: [`${before}-20`, idFilial],
    })
    for (const table of ['coupons', 'appointments'])
      await tx.query({
        text: `update ${table} set "localDate" = $1 where "idFilial" = $2`,
        values: [`${before}-20`, idFilial],
      })
    await tx.query({ text: 'alter table ledger_txs enable trigger ledger_txs_keep' })
  })
  const revenue = async () => {
    const answer = good(await keeper.get(`/expenses/profit?from=${before}&to=${now}&filials=${idFilial}`))
    return [answer.payerIncome, ...answer.revenue]
  }
  const rules = [
    { code: 'd', type: 'percent', rate: 10, base: 'discounted' },
    { code: 'p', type: 'percent', rate: 1, base: 'paid' },
  ]
  good(
    await keeper.post('/payroll/schemes', { name: 'С', idUser: desk.idUser, idFilial, dateFrom: '2020-01-01', rules }),
    201,
  )
  const open = async (month: string) =>
    good(await keeper.post('/payroll/periods', { month: `${month}-01`, idFilial }), 201).id as number
  const calculate = async (id: number) => {
    good(await keeper.post(`/payroll/periods/${id}/calculate`, {}), 201)
    await clinic.context.jobs.drain()
    const { total, payerIncome } = good(await keeper.get(`/payroll/periods/${id}`))
    return [payerIncome, total]
  }
  const by = (payerIncome: string) => keeper.put('/settings/common', { payerIncome }).then((answer) => good(answer))
  const [past, present] = [await open(before), await open(now)]
  expect([await revenue(), await calculate(past)]).toEqual([
    ['claimed', 1000, 0],
    ['claimed', 110],
  ])
  await by('accepted')
  expect([await revenue(), await calculate(past)]).toEqual([
    ['accepted', 0, 0],
    ['accepted', 0],
  ])
  const registry = good(
    await keeper.post('/payer-registries/collect', { idContract: one.idContract, month: `${before}-01` }),
  )
  await complete(one.idContract)
  await consent(who)
  good(await keeper.post(`/payer-registries/${registry.id}/send`, {}))
  const [line] = good(await keeper.get(`/payer-registries/lines?filter[idRegistry]=${registry.id}`)).items
  const answer = async (cut: number) =>
    good(
      await keeper.post(`/payer-registries/${registry.id}/decide`, { lines: [{ id: line.id, cut, reason: 'Дубль' }] }),
    )
  await answer(400)
  expect([await revenue(), await calculate(past)]).toEqual([
    ['accepted', 600, 0],
    ['accepted', 66],
  ])
  for (const status of ['checked', 'approved']) good(await keeper.post(`/payroll/periods/${past}/status`, { status }))
  const [slip] = good(await keeper.get(`/payroll/slips?filter[idPeriod]=${past}`)).items
  await clinic.db.query({
    text: `insert into payroll_payouts ("idSlip", "kind", "sum", "payFrom", "localDate", "idAuthor") values ($1, 'salary', 66, 'account', $2, $3)`,
    values: [slip.id, today, desk.idUser],
  })
  for (const status of ['paid', 'closed']) good(await keeper.post(`/payroll/periods/${past}/status`, { status }))
  // The payer thinks again, and the rest is charged to the patient: the closed month stays as it was.
  await answer(300)
  good(
    await keeper.post(`/payer-registries/lines/${line.id}/settle`, {
      key: desk.key(),
      as: 'patient',
      reason: 'По акту',
    }),
  )
  expect([await revenue(), await calculate(present)]).toEqual([
    ['accepted', 600, 400],
    ['accepted', 44],
  ])
  // Another setting changes the report, and not how a closed month was paid.
  await by('claimed')
  expect([await revenue(), await calculate(present)]).toEqual([
    ['claimed', 1000, 0],
    ['claimed', 44],
  ])
})

interface Step {
  act: 'book' | 'done' | 'cancel' | 'restore' | 'reopen' | 'own'
  which: number
}
const step = fc.record<Step>({
  act: fc.constantFrom('book', 'book', 'done', 'done', 'cancel', 'restore', 'reopen', 'own'),
  which: fc.nat(3),
})

it("keeps patient + payer = line, the payer's account = the given shares, and limits, whatever happens at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        copay: fc.integer({ min: 0, max: 100_00 }),
        qty: fc.integer({ min: 1, max: 3 }),
        sum: fc.integer({ min: 1, max: 3000_00 }),
      }),
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 5 }),
      async ({ copay, qty, sum }, all) => {
        // A day has few times.
        await anotherDesk()
        const one = await payer({ copay: copay / 100 }, [{ kind: 'limit', qty, sum: sum / 100 }])
        const who = await insure(one)
        const made: number[] = []
        const carry = async ({ act, which }: Step): Promise<void> => {
          const visit = made[which % Math.max(1, made.length)] ?? 0
          if (act === 'book') made.push((await desk.visit([1], { idCustomer: who })).id)
          else if (visit && act === 'own') {
            const [line] = await desk.linesOf(visit)
            expect([200, 409]).toContain(
              (await keeper.post(`/coupon-services/${line?.id}/payer`, { isOwn: which % 2 === 0 })).status,
            )
          } else if (visit) {
            const to = { done: 'completed', cancel: 'cancelled', restore: 'booked', reopen: 'inProgress', own: '' }[
              act as 'done'
            ]
            expect([200, 409]).toContain(
              (await desk.to(visit, to, act === 'cancel' ? { cancelReason: 'ill' } : {})).status,
            )
          }
        }
        for (const group of all) {
          await Promise.all(group.map(carry))
          const rows = await clinic.db.query<{ cost: number; insurer: number; given: boolean; on: boolean }>({
            text: `select (round(l."price" * l."qty", 2) - l."discount")::float8 * 100 as cost, l."insurer"::float8 * 100 as insurer,
              l."completed" as given, not l."cancelled" and not c."cancelled" and a."visitStatus" not in ('cancelled', 'noShow', 'moved') as "on"
              from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment"
              where a."idCustomer" = $1`,
            values: [who],
          })
          const on = rows.filter((row) => row.on)
          const total = (some: typeof rows, of: (row: (typeof rows)[number]) => number) =>
            Math.round(some.reduce((sums, row) => sums + of(row), 0))
          const given = on.filter((row) => row.given)
          expect(Math.round((await claim(one)) * 100)).toBe(total(given, ({ insurer }) => insurer))
          const [debt] = await desk.owes(who)
          expect(Math.round(debt * 100)).toBe(total(given, ({ cost, insurer }) => cost - insurer))
          for (const { cost, insurer } of on) expect(insurer).toBeLessThanOrEqual(cost)
          expect(on.filter(({ insurer }) => insurer > 0).length).toBeLessThanOrEqual(qty)
          expect(total(on, ({ insurer }) => insurer)).toBeLessThanOrEqual(sum)
        }
      },
    ),
    { numRuns: runs(4, 60), endOnFailure: true },
  )
})
