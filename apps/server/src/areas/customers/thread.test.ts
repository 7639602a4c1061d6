import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let all: Caller
let few: Caller
let outsider: Caller

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'all', [
        'viewCustomers',
        'editCustomers',
        'mainSettings',
        'viewSalesManagement',
        'editSalesManagement',
        'editFunnels',
        'viewTasksManagement',
        'viewCallJournal',
        'viewAccessLog',
        'supportOperator',
      ])
      await addPerson(app, 'few', ['viewCustomers', 'viewTasksManagement'])
      await addPerson(app, 'outsider', ['viewTasksManagement'])
    },
  })
  all = clinic.as('all')
  few = clinic.as('few')
  outsider = clinic.as('outsider')
})
afterAll(() => clinic.close())

interface Line {
  kind: string
  id: number
  at: string
  title: string
  link: string | null
  fields: string[] | null
}

const patient = async () => good(await all.post('/customers', { surname: 'Ленточкина', phone: '89120001122' }), 201).id
const read = async (who: Caller, id: number, query = '') => good(await who.get(`/customers/${id}/thread${query}`))
const kindsOf = (items: Line[]) => [...new Set(items.map(({ kind }) => kind))].sort()

/** A patient with records of every kind. */
async function lively() {
  const id = await patient()
  const idTemplate = good(await all.post('/consents/templates', { name: 'Бумага', type: 'pd' }), 201).id
  const words = { idTemplate, dateFrom: '2020-01-01', purpose: 'Цель', text: '<p>{фио}</p>' }
  const idVersion = good(await all.post('/consents/versions', words), 201).id
  good(await all.post('/consents', { idCustomer: id, idVersion }), 201)
  const form = new FormData()
  form.set('file', new Blob(['Привет']), 'выписка.txt')
  const idFile = good(await all.post('/customers/files', form), 201).id
  good(await all.post('/customers/attachments', { idCustomer: id, idFile }), 201)
  const funnel = good(await all.post('/sales-management/funnels', { name: 'Воронка' }), 201)
  const [stage] = good(await all.get(`/sales-management/stages?filter[idFunnel]=${funnel.id}&sort=order`)).items
  const lead = good(await all.post('/sales-management/leads', { title: 'Имплант', idStage: stage.id }), 201)
  good(await all.post('/sales-management/contacts', { idLead: lead.id, surname: 'Ленточкина', idCustomer: id }), 201)
  const board = good(await all.post('/tasks-management/boards', { name: 'Обзвон' }), 201)
  const task = { name: 'Перезвонить', idColumn: board.idColumnNew }
  const idTask = good(await all.post('/tasks-management/tasks', task), 201).id
  const list = good(await all.post('/tasks-management/client-lists', { name: 'Кому', idTask }), 201)
  good(await all.post('/tasks-management/client-list-items', { idClientList: list.id, idCustomer: id }), 201)
  await clinic.db.query({
    text: `insert into calls ("dateCreate", "callType", "idCustomer", "dateEnd") values (now(), 1, $1, now() + interval '65 s')`,
    values: [id],
  })
  good(await all.post('/live-assist', { name: 'Гость', idCustomer: id }), 201)
  good(await all.put(`/customers/${id}`, { surname: 'Лентова' }))
  return id
}

it('shows records of every area, newest first, each with its text and link', async () => {
  const id = await lively()
  const { items, next, kinds } = await read(all, id)
  expect(kindsOf(items)).toEqual(['calls', 'changes', 'chats', 'consents', 'deals', 'files', 'tasks'])
  // Kinds that few cards have are offered where there is one: this card was not merged, and no visits were moved in.
  expect(kinds.map(({ kind }: Line) => kind).sort()).toEqual(kindsOf(items))
  expect(next).toBeNull()
  expect(items[0]).toMatchObject({ kind: 'changes', title: 'update', fields: ['surname'] })
  expect(items.map(({ at }: Line) => at)).toEqual(
    items
      .map(({ at }: Line) => at)
      .toSorted()
      .reverse(),
  )
  const one = (kind: string) => items.find((line: Line) => line.kind === kind)
  expect(one('deals')).toMatchObject({ title: 'Имплант', link: expect.stringContaining('/deals?lead=') })
  expect(one('tasks')).toMatchObject({ title: 'Перезвонить', link: expect.stringContaining('/tasks?board=') })
  expect(one('calls')).toMatchObject({ title: 'Входящий', hint: '01:05' })
  expect(one('consents')).toMatchObject({ title: 'Бумага', hint: 'Черновик' })
  expect(one('files')).toMatchObject({ title: 'выписка.txt' })
  const chosen = await read(all, id, '?kinds=deals,files')
  expect(kindsOf(chosen.items)).toEqual(['deals', 'files'])
  expect((await all.get(`/customers/${id}/thread?kinds=nope`)).status).toBe(400)
})

it("shows only records in the user's scope, and not that there are others", async () => {
  const id = await lively()
  const shown = await read(few, id)
  // The task is on another board; deals, calls and chats need rights.
  expect(kindsOf(shown.items)).toEqual(['changes', 'consents', 'files'])
  expect(shown.kinds.map(({ kind }: Line) => kind).sort()).toEqual(['changes', 'consents', 'files', 'tasks'])
  expect(shown.next).toBeNull()
  expect((await few.get(`/customers/${id}/thread?kinds=deals`)).status).toBe(400)
  expect((await read(few, id, '?kinds=tasks')).items).toEqual([])
  expect((await outsider.get(`/customers/${id}/thread`)).status).toBe(403)
  expect((await clinic.anonymous.get(`/customers/${id}/thread`)).status).toBe(401)
  good(await all.delete(`/customers/${id}?sure=1`), 204)
  expect((await all.get(`/customers/${id}/thread`)).status).toBe(404)
})

it('drops deleted records, and is recorded in the access journal', async () => {
  const id = await lively()
  const { items } = await read(all, id)
  const consent = items.find(({ kind }: Line) => kind === 'consents')
  good(await all.delete(`/consents/${consent.id}`), 204)
  expect(kindsOf((await read(all, id)).items)).not.toContain('consents')
  const before = good(await all.get(`/access-log?idCustomer=${id}&action=view&limit=100`)).items.length
  await read(few, id)
  const { items: lines } = good(await all.get(`/access-log?idCustomer=${id}&action=view&limit=100`))
  expect(lines).toHaveLength(before + 1)
})

it('is paged without a gap or a repeat, even with equal times', async () => {
  const id = await patient()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('calls', 'live_assist'), fc.integer({ min: 0, max: 3 })), { maxLength: 14 }),
      fc.integer({ min: 1, max: 5 }),
      async (events, limit) => {
        await clinic.db.query({ text: `delete from calls where "idCustomer" = $1`, values: [id] })
        await clinic.db.query({ text: `delete from live_assist where "idCustomer" = $1`, values: [id] })
        for (const [table, at] of events) {
          const [field, value] = table === 'calls' ? ['callType', 1] : ['name', 'Гость']
          await clinic.db.query({
            text: `insert into ${table} ("idCustomer", "dateCreate", "${field}") values ($1, $2, $3)`,
            values: [id, `2026-01-01T10:00:00.00000${at}Z`, value],
          })
        }
        const whole = (await read(all, id, '?limit=100')).items as Line[]
        expect(whole).toHaveLength(events.length + 1)
        const paged: Line[] = []
        for (let next: string | null = ''; next !== null; ) {
          const page = await read(all, id, `?limit=${limit}${next && `&before=${encodeURIComponent(next)}`}`)
          paged.push(...page.items)
          next = page.next
        }
        expect(paged).toEqual(whole)
      },
    ),
    { numRuns: 12 },
  )
})

it('refuses an unknown cursor', async () => {
  const id = await patient()
  for (const before of ['1', '2026-13-45T10:00:00.000000Z_calls_1', "2026-01-01T10:00:00.000000Z_x'_1"])
    expect((await all.get(`/customers/${id}/thread?before=${encodeURIComponent(before)}`)).status, before).toBe(400)
})
