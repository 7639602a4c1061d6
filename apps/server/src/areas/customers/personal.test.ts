/** A patient's data: all of them in one archive, and what is destroyed of them when the consent is withdrawn. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { cardKeeps, ERASED_NAME, fates, keptFor } from '@ordinator/model/areas/customers/retention'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkedZip } from '#platform/zip.ts'
import { sealedReferences } from '#records/sealed.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'

const PHONE = '79160001234'
const MAIL = 'withdrawn@example.ru'
/** Of the card that was joined to hers. */
const FORMER_MAIL = 'former@example.ru'
const SURNAME = 'Отозвавшаяся'

let clinic: Clinic
let admin: Caller
let id: number
beforeAll(async () => {
  clinic = await testApp({ demo: true, env: { DEMO: '1' } })
  admin = clinic.as('admin')
  const found = await clinic.db.one<{ id: number }>({
    text: `select a."idCustomer"::int as id from appointments a join laboratory_orders o using ("idCustomer")
      join payments p using ("idCustomer") join calls c using ("idCustomer")
      group by 1 having max(a."dateTo") < now() order by count(*) desc, 1 limit 1`,
  })
  id = found?.id as number
  const { _version } = good(await admin.get(`/customers/${id}`))
  good(await admin.put(`/customers/${id}`, { surname: SURNAME, phone: `+${PHONE}`, email: MAIL, _version }))
  const { id: idMerged } = good(
    await admin.post('/customers', { surname: SURNAME, name: 'Прежняя', email: FORMER_MAIL }),
    201,
  )
  good(await admin.post(`/customers/${id}/merge`, { idMerged, take: [] }))
  await clinic.db.query({ text: `update calls set "contactPhone" = '${PHONE}' where "idCustomer" = $1`, values: [id] })
}, 240_000)
afterAll(() => clinic.close())

it('is settled for every entity that names a patient', () => {
  const { registry } = clinic.context
  const naming = registry.definitions.filter((d) => sealedReferences(registry, d).length > 0)
  expect(naming.map(({ entity }) => entity.path).filter((path) => !(path in fates))).toEqual([])
  expect(Object.keys(fates).filter((path) => !registry.find(path))).toEqual([])
  for (const fate of Object.values(fates)) expect(['erased', 'parted', ...Object.keys(keptFor)]).toContain(fate)
  expect(
    Object.values(cardKeeps)
      .flat()
      .filter((field) => !(field in Customer.fields)),
  ).toEqual([])
})

it('is given as one archive: a table of each kind of records, and the files', async () => {
  const answer = await admin.get(`/customers/${id}/personal-copy`)
  expect(answer.status).toBe(200)
  const files = checkedZip(answer.bytes, { maxBytes: 100_000_000, maxEntries: 1_000 })
  const names = [...files.keys()]
  expect(files.get('Клиент.csv')?.toString()).toContain(SURNAME)
  expect(files.get('Клиент.csv')?.toString()).toContain(MAIL)
  for (const label of ['Запись', 'Заказ анализов', 'Платёж', 'Звонок']) expect(names).toContain(`${label}.csv`)
  expect((await clinic.as('registrar').get(`/customers/${id}/personal-copy`)).status).toBe(403)
})

it('shows what is destroyed, what is kept, why and until when, and refuses the wrong card', async () => {
  const fate = good(await admin.get(`/customers/${id}/personal-data`))
  expect(fate.kept.map(({ why }: { why: string }) => why)).toEqual([
    keptFor.medical.words,
    keptFor.money.words,
    ...(fate.kept.length > 2 ? [keptFor.proof.words] : []),
  ])
  expect(Number(fate.kept[0].until.slice(0, 4))).toBe(new Date().getFullYear() + keptFor.medical.years)
  expect(fate.fields).toContain('Телефон')
  expect(fate.fields).not.toContain('Фамилия')
  expect(fate.unfinished).toBe('')
  const wrong = await admin.post(`/customers/${id}/personal-data/erase`, {
    surname: 'Другая',
    reason: 'Заявление № 1 от 01.11.2026',
  })
  expect([wrong.status, wrong.body[0].field]).toEqual([422, 'surname'])
})

it('is destroyed: no table of the clinic has the phone or the mail, the medical records stay whole', async () => {
  const count = async (table: string) =>
    (
      await clinic.db.one<{ n: number }>({
        text: `select count(*)::int as n from ${table} where "idCustomer" = $1`,
        values: [id],
      })
    )?.n
  const before = [await count('appointments'), await count('laboratory_orders'), await count('payments')]
  good(
    await admin.post(`/customers/${id}/personal-data/erase`, {
      surname: SURNAME,
      reason: 'Заявление № 1 от 01.11.2026',
    }),
  )
  expect([await count('appointments'), await count('laboratory_orders'), await count('payments')]).toEqual(before)
  expect([await count('live_assist'), await count('calls'), await count('messages')]).toEqual([0, 0, 0])
  const card = good(await admin.get(`/customers/${id}`))
  expect([card.surname, card.phone, card.email, card.noSms]).toEqual([SURNAME, null, null, true])
  // Every table of the clinic, whoever wrote it.
  const tables = await clinic.db.query<{ name: string }>({
    text: `select c.relname as name from pg_class c where c.relkind in ('r', 'm') and c.relnamespace = 'public'::regnamespace`,
  })
  const left: string[] = []
  for (const { name } of tables) {
    const row = await clinic.db.one({
      text: `select 1 from "${name}" t where t::text like '%${PHONE}%' or t::text ilike '%${MAIL}%' or t::text ilike '%${FORMER_MAIL}%' limit 1`,
    })
    if (row) left.push(name)
  }
  expect(left).toEqual([])
  expect(good(await admin.get('/customers?filter[phone]=%2B79160001234')).items).toEqual([])
  const again = good(await admin.get(`/customers/${id}/personal-data`))
  expect([again.erased, again.parted]).toEqual([[], []])
  const line = good(await admin.get(`/access-log?idCustomer=${id}&action=delete`)).items[0]
  expect(line.basis).toContain('Заявление № 1')
})

it('of a card of which nothing must be kept leaves no name', async () => {
  const { id: bare } = good(
    await admin.post('/customers', { surname: 'Зашедшая', name: 'Вера', phone: '+79160009999' }),
    201,
  )
  good(
    await admin.post(`/customers/${bare}/personal-data/erase`, {
      surname: 'Зашедшая',
      reason: 'Заявление № 2 от 01.11.2026',
    }),
  )
  const card = good(await admin.get(`/customers/${bare}`))
  expect([card.surname, card.name, card.phone, card.cardNumber]).toEqual([ERASED_NAME, null, null, null])
})

it('of a kind that stores no day of making ends by its first line of the history', async () => {
  const { id: card } = good(await admin.post('/customers', { surname: 'Давняя', name: 'Нина' }), 201)
  const relation = good(
    await admin.post('/customers/relations', { idCustomer: card, relation: 'mother', fio: 'Мать' }),
    201,
  )
  const fate = async () => {
    const { kept, erased } = good(await admin.get(`/customers/${card}/personal-data`))
    const paths = (records: { path: string }[]) => records.map(({ path }) => path)
    return { kept: kept.flatMap((one: { records: { path: string }[] }) => paths(one.records)), erased: paths(erased) }
  }
  expect(await fate()).toEqual({ kept: ['customers/relations'], erased: [] })
  const years = keptFor.medical.years + 1
  await clinic.db.query({
    text: `update history set "dateCreate" = now() - make_interval(years => $1) where "path" = 'customers/relations' and "idEntity" = $2`,
    values: [years, relation.id],
  })
  expect(await fate()).toEqual({ kept: [], erased: ['customers/relations'] })
})

it('waits for what is unfinished', async () => {
  const ahead = await clinic.db.one<{ id: number; surname: string }>({
    text: `select c."id"::int as id, c."surname" from appointments a join customers c on c."id" = a."idCustomer"
      where a."dateTo" > now() + interval '1 day' and a."visitStatus" = 'booked' and not a."deleted" and c."secretLevel" = 'none' limit 1`,
  })
  const refused = await admin.post(`/customers/${ahead?.id}/personal-data/erase`, {
    surname: ahead?.surname,
    reason: 'Заявление № 3 от 01.11.2026',
  })
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('впереди')])
})
