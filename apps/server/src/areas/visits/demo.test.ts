import { randomUUID } from 'node:crypto'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Clinic, testApp } from '#testing/harness.ts'

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp({ demo: true })
})
afterAll(() => clinic.close())

it('the demo clinic has a plausible day in each branch, and free times', async () => {
  const admin = clinic.as('admin')
  const figures = await clinic.db.query<Record<string, number>>({
    text: `select f."nameFilial", count(distinct s."idUser")::int as doctors, count(distinct s."localDate")::int as days,
        (select count(*) from appointments a where a."idFilial" = f."id")::int as visits,
        (select count(*) from appointments a where a."idFilial" = f."id" and a."visitStatus" = 'noShow')::int as "noShows"
      from filials f join staff_events s on s."idFilial" = f."id" group by f."id" order by f."id"`,
  })
  expect(figures).toHaveLength(3)
  for (const branch of figures) {
    expect(branch.doctors).toBeGreaterThanOrEqual(9)
    expect(branch.days).toBeGreaterThan(70)
    expect(branch.visits).toBeGreaterThan(500)
    expect(branch.noShows).toBeGreaterThan(20)
  }
  // Nearly all given lines are paid, and the debts agree with the ledger.
  const lines = good(await admin.get('/coupon-services?filter[completed]=true&limit=500')).items
  expect(lines).toHaveLength(500)
  const unpaid = lines.filter(({ paid, finalCostWithBonuses }: Record<string, number>) => paid !== finalCostWithBonuses)
  expect(unpaid.length).toBeLessThan(30)
  for (const { paid } of unpaid) expect(paid).toBe(0)
  expect(good(await admin.get('/waiting-list?count=1'))._meta.totalCount).toBe(18)
  const [service] = good(await admin.get('/services?filter[nameService][ilike]=терапевта первичный')).items
  const day = (days: number) => plusDays(dayIn('Europe/Moscow', Date.now()), days)
  const { items } = good(await admin.get(`/appointments/slots?idService=${service.id}&from=${day(0)}&to=${day(21)}`))
  expect(items).toHaveLength(20)
  expect(items[0]).toMatchObject({ price: expect.any(Number), minutes: expect.any(Number) })
  // The open shift of each desk agrees with its register and its terminal.
  const { items: shifts } = good(await admin.get('/cash-shifts?filter[dateClosed][null]=1&limit=100'))
  expect(shifts.length).toBeGreaterThanOrEqual(3)
  for (const { id } of shifts) {
    const { terminal, card, crm, kkt, waiting, unknown } = good(await admin.get(`/cash-shifts/${id}/report`))
    expect({ id, terminal, kkt: kkt ?? crm, waiting, unknown }).toEqual({
      ...{ id, terminal: card, kkt: crm },
      ...{ waiting: 0, unknown: 0 },
    })
  }
  // When closed, the Z report agrees with our books.
  for (const { id } of shifts) {
    const { drawer } = good(await admin.get(`/cash-shifts/${id}/report`))
    good(await admin.post(`/cash-shifts/${id}/close`, { key: randomUUID(), counted: drawer }))
    const report = async () => good(await admin.get(`/cash-shifts/${id}/report`))
    await expect.poll(async () => (await report()).kkt, { timeout: 60_000 }).not.toBeNull()
    const { crm, kkt } = await report()
    expect({ id, kkt }).toEqual({ id, kkt: crm })
  }
})

it('the demo registry agrees with the ledger: claimed, accepted, cut, paid, and the balance of its payer', async () => {
  const admin = clinic.as('admin')
  const [registry] = good(await admin.get('/payer-registries?filter[state]=sent&expand=contract')).items
  expect(registry).toMatchObject({ lines: 6, state: 'sent' })
  const { claimed, accepted, cut, open, paid, contract } = registry
  const kop = (rubles: number) => Math.round(rubles * 100)
  expect(kop(claimed)).toBe(kop(accepted) + kop(cut) + kop(open))
  for (const sum of [accepted, cut, open, paid]) expect(sum).toBeGreaterThan(0)
  const [balance] = await clinic.db.query<{ claims: number; shares: number }>({
    text: `select (select coalesce(sum(e."amount"), 0) from ledger_accounts a join ledger_entries e on e."idAccount" = a."id"
        where a."kind" = 'insurer' and a."idInsurer" = $1)::float8 as claims,
      (select coalesce(sum("charged"), 0) from payer_lines where "idPayer" = $1)::float8 as shares`,
    values: [contract.idPayer],
  })
  expect(balance).toEqual({ claims: kop(claimed) - kop(paid), shares: kop(claimed) })
})
