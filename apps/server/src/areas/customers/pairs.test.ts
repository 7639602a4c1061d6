import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let desk: Caller

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'desk', ['viewCustomers', 'editCustomers', 'passDuplicates'])
      await addPerson(app, 'reader', ['viewCustomers'])
    },
  })
  desk = clinic.as('desk')
})
afterAll(() => clinic.close())

const duplicateReason = 'Номер переписан с чужого полиса'
const patient = async (body: object): Promise<number> =>
  good(await desk.post('/customers', { ...body, duplicateReason }), 201).id
interface Pair {
  id: number
  because: string[]
  certain: boolean
  first: { id: number }
  second: { id: number }
}
async function pairs(): Promise<Pair[]> {
  const items: Pair[] = []
  for (let next: number | null = 0; next !== null; ) {
    const page: { items: Pair[]; next: number | null } = good(
      await desk.get(`/customers/duplicates${next ? `?after=${next}` : ''}`),
    )
    items.push(...page.items)
    next = page.next
  }
  return items
}
const of = async (...ids: number[]) =>
  (await pairs()).filter(({ first, second }) => ids.includes(first.id) && ids.includes(second.id))
const dismiss = (id: number, different = true) => desk.post(`/customers/duplicates/${id}`, { different })

it('lists duplicates with the reasons, certain ones first, and never relatives', async () => {
  const phone = '+79165550011'
  const snils = [
    await patient({ surname: 'Парная', name: 'Анна', snils: '11223344595' }),
    await patient({ surname: 'Девичья', name: 'Анна', snils: '11223344595' }),
  ]
  const fio = [
    await patient({ surname: 'Ёлкина', name: 'Вера', birthday: '01.02.1990' }),
    await patient({ surname: 'Елкина', name: 'Вера', birthday: '01.02.1990' }),
  ]
  const policy = [await patient({ surname: 'Полисная' }), await patient({ surname: 'Полюсная' })]
  for (const idCustomer of policy)
    good(await desk.post('/customers/policies', { idCustomer, number: '5088489776000027', duplicateReason }), 201)
  // A mother with her children, and two namesakes linked only by the phone.
  const family = [
    await patient({ surname: 'Семейная', name: 'Ольга', birthday: '05.05.1980', phone }),
    await patient({ surname: 'Семейная', name: 'Ия', birthday: '06.06.2010', phoneMother: phone }),
    await patient({ surname: 'Семейная', name: 'Ольга', birthday: '07.07.2012', phoneMother: phone }),
  ]
  expect((await of(...snils)).map(({ because, certain }) => [because, certain])).toEqual([[['snils'], true]])
  expect((await of(...fio)).map(({ because, certain }) => [because, certain])).toEqual([[['fio'], false]])
  expect((await of(...policy)).map(({ because, certain }) => [because, certain])).toEqual([[['policy'], true]])
  expect(await of(...family)).toEqual([])
  const all = (await pairs()).map(({ certain }) => certain)
  expect(all).toEqual([...all].sort((x, y) => Number(y) - Number(x)))
})

it('remembers a rejected pair until the cards have more in common', async () => {
  const cards = [
    await patient({ surname: 'Тёзкин', name: 'Пётр', birthday: '03.03.1973' }),
    await patient({ surname: 'Тёзкин', name: 'Пётр', birthday: '03.03.1973' }),
  ]
  const [pair] = await of(...cards)
  good(await dismiss(pair?.id as number), 204)
  expect(await of(...cards)).toEqual([])
  good(await desk.put(`/customers/${cards[0]}`, { middleName: 'Ильич' }))
  expect(await of(...cards)).toEqual([])
  good(await dismiss(pair?.id as number, false), 204)
  expect(await of(...cards)).toHaveLength(1)
  good(await dismiss(pair?.id as number), 204)
  for (const id of cards) good(await desk.put(`/customers/${id}`, { phone: '+79165550022' }))
  expect((await of(...cards))[0]?.because).toEqual(['fio', 'phone'])
  // A pair that no longer matches disappears.
  good(await desk.put(`/customers/${cards[1]}`, { birthday: '04.03.1973' }))
  expect(await of(...cards)).toEqual([])
  expect((await dismiss(pair?.id as number)).status).toBe(404)
})

it('pages through long results, without merged and deleted cards', async () => {
  const same = { surname: 'Многократный', name: 'Лев', birthday: '09.09.1999' }
  const cards: number[] = []
  for (let n = 0; n < 8; n++) cards.push(await patient(same))
  const found = await of(...cards)
  expect(found).toHaveLength(28)
  expect(new Set(found.map(({ id }) => id)).size).toBe(28)
  good(await desk.post(`/customers/${cards[0]}/merge`, { idMerged: cards[1] }))
  good(await desk.delete(`/customers/${cards[2]}?sure=1`), 204)
  expect(await of(...cards)).toHaveLength(15)
})

it('requires the right to merge, and records the shown cards in the journal', async () => {
  expect((await clinic.as('reader').get('/customers/duplicates')).status).toBe(403)
  const cards = [
    await patient({ surname: 'Журнальный', name: 'Ян', birthday: '08.08.1988' }),
    await patient({ surname: 'Журнальный', name: 'Ян', birthday: '08.08.1988' }),
  ]
  await pairs()
  await clinic.context.journal.settle()
  const lines = await clinic.context.db.query<{ idCustomer: number }>({
    text: `select distinct "idCustomer"::int as "idCustomer" from access_log where basis = 'Возможные дубли' and "idCustomer" = any ($1)`,
    values: [cards],
  })
  expect(lines.map(({ idCustomer }) => idCustomer).sort()).toEqual([...cards].sort())
})

it('finds pending pairs in the job, as after an import', async () => {
  await clinic.context.db.query({
    text: `insert into customers ("surname", "name", "birthday") select 'Табличников ' || n / 2, 'Ян', '1970-01-01' from generate_series(0, 499) n`,
  })
  await clinic.context.jobs.run('customers.pairs')
  const [{ count } = { count: 0 }] = await clinic.context.db.query<{ count: number }>({
    text: `select count(*)::int as count from customer_pairs p join customers c on c."id" = p."idFirst" where c."surname" like 'Табличников %'`,
  })
  expect(count).toBe(250)
})
