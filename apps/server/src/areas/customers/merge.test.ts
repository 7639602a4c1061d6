import { Customer } from '@ordinator/model/areas/customers/customer'
import { permissionNames } from '@ordinator/model/permissions'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { referencesTo } from '#records/merge.ts'
import { bodiesIn } from '#testing/bodies.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let desk: Caller
let made: ReturnType<typeof bodiesIn>['made']

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'desk', permissionNames)
      await addPerson(app, 'reader', ['viewCustomers'])
    },
  })
  desk = clinic.as('desk')
  made = bodiesIn(clinic, desk).made
})
afterAll(() => clinic.close())

const patient = async (body: object = {}) => good(await desk.post('/customers', { surname: 'Орлова', ...body }), 201)
const merge = (idKept: number, idMerged: number, take: string[] = []) =>
  desk.post(`/customers/${idKept}/merge`, { idMerged, take })
const undo = (id: number) => desk.post(`/customers/merges/${id}/undo`)

/** Every reference to the cards, by entity, field and record. */
async function linksOf(ids: number[]): Promise<string[]> {
  const all = await Promise.all(
    referencesTo(clinic.context.registry, Customer).map(async ({ d, field }) => {
      const rows = await clinic.context.db.query<{ id: string; to: string }>({
        text: `select "id"::text as id, "${field}"::text as "to" from "${d.entity.table}" where "${field}" = any ($1::bigint[]) order by "id"`,
        values: [ids],
      })
      return rows.map(({ id, to }) => `${d.entity.path}.${field} ${id} → ${to}`)
    }),
  )
  return all.flat()
}

/** A card referenced by a record of every entity of the model. */
async function linked(body: object = {}): Promise<number> {
  const { id } = await patient(body)
  for (const { d, field } of referencesTo(clinic.context.registry, Customer))
    await made(d.entity.path, { [field]: id, ...(field === 'idRelative' ? {} : {}) })
  return id
}

describe('two cards of one patient', () => {
  it('are merged with all their references, and split again', async () => {
    const [a, b] = [await linked({ name: 'Анна' }), await linked({ name: 'Анюта', phone: '89120001122' })]
    const before = await linksOf([a, b])
    // Covers every entity of the model that refers to a patient.
    for (const { d, field } of referencesTo(clinic.context.registry, Customer))
      expect(before.some((one) => one.startsWith(`${d.entity.path}.${field} `) && one.endsWith(` ${b}`))).toBe(true)
    const preview = good(await desk.get(`/customers/${a}/merge?idMerged=${b}`))
    expect(preview.fields).toEqual([
      { field: 'name', kept: 'Анна', merged: 'Анюта' },
      { field: 'phone', kept: null, merged: '+79120001122' },
    ])
    const done = good(await merge(a, b, ['phone']))
    // An attachment of the same days stays: the card has one already.
    expect((await linksOf([b])).filter((one) => !one.startsWith('attachment/attachments.'))).toEqual([])
    expect((await desk.get(`/customers/${b}`)).status).toBe(404)
    expect(good(await desk.get(`/customers/${a}`))).toMatchObject({ name: 'Анна', phone: '+79120001122' })
    good(await undo(done.id))
    expect(await linksOf([a, b])).toEqual(before)
    expect(good(await desk.get(`/customers/${a}`)).phone).toBeNull()
    expect(good(await desk.get(`/customers/${b}`))).toMatchObject({ name: 'Анюта', phone: '+79120001122' })
    expect((await undo(done.id)).status).toBe(409)
  })

  it('are split with later records on their own side, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('tag', 'policy', 'name', 'phone'), { maxLength: 6 }),
        fc.subarray(['name', 'phone', 'email']),
        async (writes, take) => {
          const [a, b] = [
            await patient({ name: 'А' }),
            await patient({ name: 'Б', phone: '89120003344', email: 'b@b.ru' }),
          ]
          for (const idCustomer of [a.id, b.id]) {
            good(await desk.post('/customers/tags', { idCustomer, name: 'Общая' }), 201)
            good(await desk.post('/customers/policies', { idCustomer, type: 'dms', number: `${idCustomer}` }), 201)
          }
          const before = await linksOf([a.id, b.id])
          const done = good(await merge(a.id, b.id, take))
          const since: string[] = []
          const changed: Record<string, string> = {}
          for (const [at, write] of writes.entries()) {
            if (write === 'tag') {
              const { id } = good(await desk.post('/customers/tags', { idCustomer: a.id, name: `Новая ${at}` }), 201)
              since.push(`customers/tags.idCustomer ${id} → ${a.id}`)
            } else if (write === 'policy') {
              const body = { idCustomer: a.id, type: 'dms', number: `Н${at}` }
              const { id } = good(await desk.post('/customers/policies', body), 201)
              since.push(`customers/policies.idCustomer ${id} → ${a.id}`)
            } else {
              changed[write] = write === 'name' ? `Имя ${at}` : `+7912555000${at}`
              good(await desk.put(`/customers/${a.id}`, { [write]: changed[write] }))
            }
          }
          good(await undo(done.id))
          expect((await linksOf([a.id, b.id])).sort()).toEqual([...before, ...since].sort())
          const own = { name: 'А', phone: null, email: null, ...changed }
          expect(good(await desk.get(`/customers/${a.id}`))).toMatchObject(own)
          expect(good(await desk.get(`/customers/${b.id}`))).toMatchObject({ name: 'Б', phone: '+79120003344' })
        },
      ),
      { numRuns: 6 },
    )
  })

  it('lose no concurrent write to one of them', async () => {
    for (let turn = 0; turn < 8; turn++) {
      const [kept, merged] = [await patient(), await patient({ name: 'Анна', note: 'Прежняя' })]
      const edit = (id: number, note: string) => desk.put(`/customers/${id}`, { note })
      const [intoKept, done, intoMerged] = await Promise.all([
        edit(kept.id, `К ${turn}`),
        merge(kept.id, merged.id, ['name']),
        edit(merged.id, `У ${turn}`),
      ])
      // The merged card is written before the merge, or not found: never in part.
      expect([200, 404]).toContain(intoMerged.status)
      expect([intoKept.status, done.status]).toEqual([200, 200])
      expect(good(await desk.get(`/customers/${kept.id}`))).toMatchObject({ name: 'Анна', note: `К ${turn}` })
      good(await undo(good(done).id))
      expect(good(await desk.get(`/customers/${kept.id}`))).toMatchObject({ name: null, note: `К ${turn}` })
      expect(good(await desk.get(`/customers/${merged.id}`))).toMatchObject({
        name: 'Анна',
        note: intoMerged.status === 200 ? `У ${turn}` : 'Прежняя',
      })
    }
  })

  it('keep one of two equal links and the other phone, and are recorded in history and thread', async () => {
    const a = await patient({ name: 'Анна', phone: '89120001122' })
    const b = await patient({ name: 'Анюта', phone: '89120003344' })
    const idClientList = await made('tasks-management/client-lists')
    for (const { id } of [a, b]) await made('tasks-management/client-list-items', { idClientList, idCustomer: id })
    const listed = () =>
      clinic.context.db.query<{ idCustomer: number }>({
        text: 'select "idCustomer"::int as "idCustomer" from tasks_management_client_list_items where "idClientList" = $1 and not "deleted" order by 1',
        values: [idClientList],
      })
    const done = good(await merge(a.id, b.id))
    expect(await listed()).toEqual([{ idCustomer: a.id }])
    expect(good(await desk.get(`/customers/${a.id}`))).toMatchObject({
      phone: '+79120001122',
      phoneExtended: '+79120003344',
    })
    const { items, kinds } = good(await desk.get(`/customers/${a.id}/thread`))
    expect(kinds).toContainEqual({ kind: 'merges', name: 'Объединения карт' })
    expect(items.find(({ kind }: { kind: string }) => kind === 'merges')).toMatchObject({
      title: 'Присоединена карта: Орлова Анюта',
    })
    const history = good(await desk.get(`/customers/${a.id}/history?parts=1`)).items
    expect(
      history.some(({ path, idUser }: { path: string; idUser: number }) => path === 'customers/merges' && idUser),
    ).toBe(true)
    good(await undo(done.id))
    expect(await listed()).toEqual([{ idCustomer: a.id }, { idCustomer: b.id }])
    expect(good(await desk.get(`/customers/${a.id}`)).phoneExtended).toBeNull()
  })

  it('merged in a chain are split in reverse order', async () => {
    const [a, b, c] = [await linked(), await patient(), await patient()]
    const first = good(await merge(b.id, a))
    const second = good(await merge(c.id, b.id))
    const refused = await undo(first.id)
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('Сначала верните карту')])
    good(await undo(second.id))
    good(await undo(first.id))
    expect(good(await desk.get(`/customers/${a}`)).id).toBe(a)
  })

  it('are merged once by concurrent requests, not with themselves, and not without the right', async () => {
    const [a, b] = [await patient(), await patient()]
    const both = await Promise.all([merge(a.id, b.id), merge(b.id, a.id)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
    const own = await merge(a.id, a.id)
    expect([own.status, own.body[0]?.field]).toEqual([422, 'idMerged'])
    const c = await patient()
    expect((await clinic.as('reader').post(`/customers/${c.id}/merge`, { idMerged: a.id })).status).toBe(403)
  })
})

describe('likely duplicates', () => {
  const similar = async (query: Record<string, string>) =>
    good(await desk.get(`/customers/similar?${new URLSearchParams(query)}`)).items as {
      id: number
      because: string[]
      certain: boolean
    }[]

  it('match certainly by СНИЛС and policy, likely by names with a birthday or a phone', async () => {
    const body = {
      surname: 'Грибова',
      name: 'Алла',
      birthday: '03.04.1985',
      phone: '89120007788',
      snils: '102-889-999 00',
    }
    const { id } = await patient(body)
    good(await desk.post('/customers/policies', { idCustomer: id, number: '5088489776000027' }), 201)
    const certain = { id, certain: true }
    expect(await similar({ snils: '10288999900' })).toMatchObject([{ ...certain, because: ['snils'] }])
    expect(await similar({ policy: '5088 4897 7600 0027' })).toMatchObject([{ ...certain, because: ['policy'] }])
    const likely = { id, certain: false }
    expect(await similar({ surname: 'грибова', name: 'Алла', birthday: '03.04.1985' })).toMatchObject([
      { ...likely, because: ['fio'] },
    ])
    expect(await similar({ name: 'Алла', phone: '+7 912 000-77-88' })).toMatchObject([
      { ...likely, because: ['phone'] },
    ])
    // A relative with the same phone is another patient.
    expect(await similar({ name: 'Пётр', phone: '+7 912 000-77-88' })).toEqual([])
    expect(await similar({ snils: '10288999900', except: String(id) })).toEqual([])
    expect(await similar({})).toEqual([])
  })
})
