import type { Permission } from '@ordinator/model/permissions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { form, picture } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let desk: Caller
let other: Caller
let chief: Caller
/** A restricted card with records of every kind, and an unrestricted card. */
let vip: number
let idFile: number
let idPhoto: number
let idPolicy: number
let usual: number

const REASON = 'Звонок пациента о переносе записи'

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      const rights: Permission[] = ['viewCustomers', 'editCustomers', 'viewAccessLog', 'takePayments']
      for (const login of ['desk', 'other', 'chief']) await addPerson(app, login, rights)
      await addPerson(app, 'passer', [...rights, 'passDuplicates'])
      await addPerson(app, 'out', [])
    },
  })
  ;[desk, other, chief] = [clinic.as('desk'), clinic.as('other'), clinic.as('chief')]
  for (const caller of [desk, other, chief]) await caller.token()
  const body = {
    surname: 'Закрытая',
    name: 'Анна',
    phone: '+79161112233',
    birthday: '01.02.1980',
    snils: '11223344595',
  }
  vip = good(await desk.post('/customers', { ...body, allergies: 'Йод', secretLevel: 'none' }), 201).id
  usual = good(
    await desk.post('/customers', {
      surname: 'Открытая',
      birthday: '05.06.1999',
      phone: '+79164445566',
      snils: '08765430300',
    }),
    201,
  ).id
  idPolicy = good(await desk.post('/customers/policies', { idCustomer: vip, type: 'dms', number: 'ДМС-77' }), 201).id
  good(await desk.post('/customers/tags', { idCustomer: vip, name: 'Певица' }), 201)
  idFile = good(await desk.post('/customers/files', form('Выписка', 'выписка.txt')), 201).id
  good(await desk.post('/customers/attachments', { idCustomer: vip, idFile }), 201)
  idPhoto = good(await desk.post('/customers/photos', form(await picture(60, 40).png().toBuffer(), 'a.png')), 201).id
  // The user who restricts it gets the stored row, and sees no more of it.
  expect(good(await desk.put(`/customers/${vip}`, { idPhoto, secretLevel: 'vip' }))).toMatchObject({
    secretLevel: 'vip',
    idPhoto,
  })
})
afterAll(() => clinic.close())

const hidden = {
  photo: null,
  phone: null,
  birthday: null,
  snils: null,
  allergies: null,
  gender: null,
}
const refused = ({ status, body }: Answer) => {
  expect([status, (body as { code?: string }).code]).toEqual([403, 'sealed'])
  expect((body as { message: string }).message).toContain('Укажите причину')
}

describe('a restricted card without a reason', () => {
  it('is refused with a message at every call that opens it, also to its author', async () => {
    for (const caller of [desk, other]) {
      refused(await caller.get(`/customers/${vip}`))
      refused(await caller.get(`/customers/${vip}?fields=fio,phone`))
      refused(await caller.get(`/customers/${vip}?fields=fio&expand=policies`))
      refused(await caller.get(`/customers/${vip}/history`))
      refused(await caller.get(`/customers/${vip}/thread`))
      refused(await caller.get(`/customers/${vip}/account`))
      refused(await caller.get(`/customers/${vip}/account?limit=0`))
      refused(await caller.put(`/customers/${vip}`, { secretLevel: 'none' }))
      refused(await caller.delete(`/customers/${vip}`))
      refused(await caller.get(`/customers/${usual}/merge?idMerged=${vip}`))
      refused(await caller.post(`/customers/${usual}/merge`, { idMerged: vip, take: ['phone'] }))
    }
    refused(await other.get(`/customers/policies/${idPolicy}`))
    expect((await other.get(`/customers/policies?filter[idCustomer]=${vip}`)).body).toMatchObject({ items: [] })
    expect((await other.get(`/files/${idFile}`)).status).toBe(404)
    expect((await other.get(`/files/${idPhoto}/small`)).status).toBe(404)
    expect((await other.post('/customers/policies', { idCustomer: vip, number: 'ДМС-78' })).status).toBe(422)
  })

  it('shows only the name in lists and references', async () => {
    const [row] = good(await other.get(`/customers?filter[id]=${vip}&expand=tags,policies,source`)).items
    expect(row).toMatchObject({ ...hidden, id: vip, fio: 'Закрытая Анна', secretLevel: 'vip', tags: [], policies: [] })
    expect(good(await other.get(`/customers/${vip}?fields=fio,secretLevel`)).fio).toBe('Закрытая Анна')
    const relation = good(
      await desk.post('/customers/relations', { idCustomer: usual, relation: 'spouse', idRelative: vip }),
      201,
    )
    const read = good(await other.get(`/customers/relations/${relation.id}?expand=relative`))
    expect(read.relative).toMatchObject({ ...hidden, fio: 'Закрытая Анна' })
  })

  it('is found by a phone or a name, and reveals nothing more; filters and sorting reveal nothing hidden', async () => {
    const ids = async (query: string) =>
      good(await other.get(`/customers?${query}&limit=100`)).items.map(({ id }: { id: number }) => id)
    expect(await ids('filter[text][ilike]=9161112233')).toEqual([vip])
    expect(await ids(`filter[allergies][null]=0&filter[id]=${vip}`)).toEqual([])
    expect(await ids('filter[snils]=11223344595')).toEqual([])
    expect(await ids('filter[policies.number]=ДМС-77')).toEqual([])
    // Neither by single digits, nor by a date.
    expect(await ids('filter[phone]=%2B79161112233')).toEqual([vip])
    expect(await ids('filter[phone][like]=%2B79161112')).toEqual([])
    expect(await ids(`filter[phone][null]=0&filter[id]=${vip}`)).toEqual([])
    expect(await ids('filter[text][like]=1122334459')).toEqual([])
    for (const typed of ['11223344595', '1122334459', '01.02.1980', '916111'])
      expect(await ids(`filter[text][ilike]=${typed}`)).not.toContain(vip)
    expect(await ids(`filter[text][ilike]=${encodeURIComponent('закрыт')}`)).toEqual([vip])
    const sought = async (typed: string) =>
      good(await other.get(`/search?q=${encodeURIComponent(typed)}`)).groups.flatMap(
        ({ path, items }: { path: string; items: { id: number }[] }) =>
          path === 'customers' ? items.map(({ id }) => id) : [],
      )
    expect(await sought('+7 916 111-22-33')).toContain(vip)
    for (const typed of ['01.02.1980', '112-233-445', '11223344595', '916111'])
      expect(await sought(typed)).not.toContain(vip)
    const page = good(await other.get('/customers?sort=birthday&after=&limit=1'))
    expect(page.items[0].id).not.toBe(vip)
    const listed = good(await other.get('/customers?sort=-snils,id&after=&limit=1'))
    expect(Buffer.from(listed._meta.next ?? '', 'base64url').toString()).not.toContain('11223344595')
    const groups = good(await other.get(`/search?q=${encodeURIComponent('Закрытая')}`)).groups
    const found = groups.flatMap(({ items }: { items: { id: number; hint: string | null }[] }) => items)
    expect(found.find(({ id }: { id: number }) => id === vip)).toMatchObject({ hint: null })
    const like = good(await other.get('/customers/similar?snils=11223344595')).items
    expect(like).toEqual([expect.objectContaining({ id: vip, phone: null, birthday: null })])
    // The number is another card's already: it takes a right and a reason.
    const second = await desk.post('/customers', { surname: 'Другая', snils: '11223344595' })
    expect([second.status, second.body.code]).toEqual([409, 'duplicate'])
    const copy = { surname: 'Другая', snils: '11223344595', duplicateReason: 'Номер записан с ошибкой' }
    good(await clinic.as('passer').post('/customers', copy), 201)
    const pairs = good(await other.get('/customers/duplicates')).items
    const cards = pairs.flatMap(({ first, second }: Record<string, { id: number }>) => [first, second])
    expect(cards.find((one: { id: number }) => one.id === vip)).toMatchObject({
      phone: null,
      birthday: null,
      snils: null,
    })
  })

  it('is omitted from an export', async () => {
    const csv = async (caller: Caller) => (await caller.get('/customers/export?format=csv&fields=fio,phone')).text
    expect(await csv(other)).toContain('Открытая')
    expect(await csv(other)).not.toContain('Закрытая')
  })
})

describe('a reason', () => {
  it('is required with a message', async () => {
    for (const reason of ['', '  .  ', 'abcd', 'я'.repeat(301)])
      expect((await other.post(`/customers/${vip}/open`, { reason })).status).toBe(422)
    expect((await clinic.as('out').post(`/customers/${vip}/open`, { reason: REASON })).status).toBe(403)
    refused(await other.get(`/customers/${vip}`))
    // An unrestricted card needs none, and stores none.
    good(await other.post(`/customers/${usual}/open`, { reason: REASON }), 204)
    const lines = good(await desk.get(`/access-log?idCustomer=${usual}&limit=100`)).items
    expect(lines.filter(({ action }: { action: string }) => action === 'open')).toEqual([])
  })

  it('does not change the order of a list: the place of a restricted card depends on the card only', async () => {
    const older = good(await desk.post('/customers', { surname: 'Старшая', birthday: '01.01.1950' }), 201).id
    const order = async (caller: Caller) =>
      good(await caller.get(`/customers?sort=birthday&filter[id][in]=${vip},${older}`)).items.map(
        ({ id }: { id: number }) => id,
      )
    expect(await order(other)).toEqual([older, vip])
    const younger = good(await desk.post('/customers', { surname: 'Младшая', birthday: '01.01.2020' }), 201).id
    good(await chief.post(`/customers/${vip}/open`, { reason: REASON }), 204)
    const { items } = good(await chief.get(`/customers?sort=birthday&filter[id][in]=${vip},${younger}`))
    expect(items.map(({ id }: { id: number }) => id)).toEqual([younger, vip])
  })

  it('opens every call to the user who gave it only, and is in each line of the journal', async () => {
    good(await chief.post(`/customers/${vip}/open`, { reason: REASON }), 204)
    expect(good(await chief.get(`/customers/${vip}?expand=tags`))).toMatchObject({
      phone: '+79161112233',
      tags: [{ name: 'Певица' }],
    })
    good(await chief.get(`/customers/${vip}/history`))
    good(await chief.get(`/customers/${vip}/thread`))
    good(await chief.get(`/customers/policies/${idPolicy}`))
    good(await chief.get(`/files/${idFile}`))
    expect((await chief.get('/customers/export?format=csv&fields=fio,phone')).text).toContain('Закрытая')
    refused(await other.get(`/customers/${vip}`))

    const { items } = good(await chief.get(`/access-log?idCustomer=${vip}&limit=100`))
    const lines = items.filter(({ basis }: { basis: string | null }) => basis?.includes(REASON))
    expect(lines.at(-1)).toMatchObject({ action: 'open', label: 'Клиент', idCustomer: vip, basis: REASON })
    expect(lines.slice(0, -1).map(({ action }: { action: string }) => action)).toEqual(Array(5).fill('view'))
    const alerts = good(await chief.get('/access-log/alerts')).items
    expect(alerts).toContainEqual(expect.objectContaining({ kind: 'secret', what: `Закрытая Анна: ${REASON}` }))
  })

  it('expires after a shift', async () => {
    good(await other.post(`/customers/${vip}/open`, { reason: REASON }), 204)
    good(await other.get(`/customers/${vip}`))
    const late = good(
      await desk.post('/customers', { surname: 'Поздняя', phone: '+79160000011', secretLevel: 'staff' }),
      201,
    )
    expect(late.phone).toBe('+79160000011')
    await clinic.context.db.query({
      text: `insert into access_log (dt, "idUser", action, "entityType", "idEntity", "idCustomer", basis)
        select now() - interval '8 hours 1 minute', l."idUser", 'open', 'customers', $1, $1, 'Давно' from access_log l
        where l.action = 'create' and l."idEntity" = $1 and l."entityType" = 'customers'`,
      values: [late.id],
    })
    refused(await desk.get(`/customers/${late.id}`))
  })
})

describe('files of a restricted card', () => {
  const limited = async (more: object = {}) =>
    good(await desk.post('/customers', { surname: 'Тайная', phone: '+79160001122', ...more }), 201).id as number
  const seal = async (id: number) => good(await desk.put(`/customers/${id}`, { secretLevel: 'vip' }))

  it('stay restricted in the trash, photos too', async () => {
    const id = await limited()
    const file = good(await desk.post('/customers/files', form('Анализ', 'анализ.txt')), 201).id
    const hung = good(await desk.post('/customers/attachments', { idCustomer: id, idFile: file }), 201).id
    const photo = good(await desk.post('/customers/photos', form(await picture(60, 40).png().toBuffer(), 'b.png')), 201)
    good(await desk.put(`/customers/${id}`, { idPhoto: photo.id }))
    await seal(id)
    good(await chief.post(`/customers/${id}/open`, { reason: REASON }), 204)
    good(await chief.delete(`/customers/attachments/${hung}`), 204)
    // Also to their author.
    for (const caller of [other, desk]) expect((await caller.get(`/files/${file}`)).status).toBe(404)
    good(await chief.delete(`/customers/${id}?sure=1`), 204)
    expect((await other.get(`/files/${photo.id}/small`)).status).toBe(404)
  })

  it('move with it into a merged card, are not revealed by the merge, and are restored', async () => {
    const id = await limited({ birthday: '03.04.1981' })
    const kept = good(await desk.post('/customers', { surname: 'Явная', phone: '+79160003344' }), 201).id as number
    await seal(id)
    good(await chief.post(`/customers/${id}/open`, { reason: REASON }), 204)
    const { id: idMerge } = good(await chief.post(`/customers/${kept}/merge`, { idMerged: id, take: ['phone'] }))
    refused(await other.get(`/customers/${kept}`))
    const [line] = good(await other.get(`/customers/merges?filter[idKept]=${kept}`)).items
    expect(line).not.toHaveProperty('changed')
    expect(line).not.toHaveProperty('turned')
    refused(await other.post(`/customers/merges/${idMerge}/undo`))
    refused(await chief.post(`/customers/merges/${idMerge}/undo`))
    good(await chief.post(`/customers/${kept}/open`, { reason: REASON }), 204)
    good(await chief.post(`/customers/merges/${idMerge}/undo`))
    expect(good(await other.get(`/customers/${kept}`))).toMatchObject({ phone: '+79160003344', secretLevel: 'none' })
    refused(await other.get(`/customers/${id}`))
  })

  it('stay restricted after undoing a merge', async () => {
    const [kept, joined] = [await limited(), await limited({ surname: 'Лишняя', phone: null })]
    const { id: idMerge } = good(await desk.post(`/customers/${kept}/merge`, { idMerged: joined, take: [] }))
    await seal(kept)
    refused(await other.post(`/customers/merges/${idMerge}/undo`))
    expect((await other.get(`/customers/${joined}`)).status).toBe(404)
  })
})
