import {
  type CommonSettingName,
  commonSettingNames,
  commonSettings,
  isSecret,
  settingsChildren,
} from '@ordinator/model/areas/settings/commonSettings'
import { findSettings } from '@ordinator/model/areas/settings/findSettings'
import { pages } from '@ordinator/model/pages'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { secretOf } from './connections.ts'

let clinic: Clinic
let me: Caller
let anna: Caller
let boris: Caller

beforeAll(async () => {
  clinic = await testApp()
  await addPerson(clinic.context, 'me', ['editCustomers', 'viewCustomers', 'passDuplicates'])
  await addPerson(clinic.context, 'anna', ['mainSettings', 'editUsers'], { surname: 'Щукина', name: 'Анна' })
  await addPerson(clinic.context, 'boris', ['mainSettings'], { surname: 'Белов', name: 'Борис' })
  ;[me, anna, boris] = [clinic.as('me'), clinic.as('anna'), clinic.as('boris')]
})
afterAll(() => clinic.close())

const set = (who: Caller, body: object) => who.put('/settings/common', body)
const state = async () => good(await anna.get('/settings/state'))
const changes = async (query = '') => good(await anna.get(`/settings/changes${query}`)).items

describe('each change of a setting', () => {
  test('is recorded with the old and new value, the user and the time; an equal value is no change', async () => {
    good(await set(anna, { companyPhone: '+7 495 000-00-01', fefoMargin: 0 }))
    good(await set(boris, { companyPhone: '+7 495 000-00-02' }))
    const recorded = await changes()
    expect(recorded).toMatchObject([
      {
        name: 'companyPhone',
        from: '+7 495 000-00-01',
        to: '+7 495 000-00-02',
        version: 2,
        user: { shortFio: 'Белов Б.' },
      },
      { name: 'companyPhone', from: null, to: '+7 495 000-00-01', version: 1, user: { shortFio: 'Щукина А.' } },
    ])
    expect(Date.now() - Date.parse(recorded[0].dateCreate)).toBeLessThan(60_000)
    expect((await state()).marks.companyPhone).toMatchObject({ version: 2, user: { shortFio: 'Белов Б.' } })
  })

  test('is paged, for one setting or for all', async () => {
    for (const n of [1, 2, 3]) good(await set(anna, { fefoMargin: n }))
    const first = good(await anna.get('/settings/changes?name=fefoMargin&limit=2'))
    expect([first.items.map(({ to }: { to: number }) => to), first.hasMore]).toEqual([[3, 2], true])
    const rest = good(await anna.get(`/settings/changes?name=fefoMargin&before=${first.items[1].id}`))
    expect([rest.items.map(({ to }: { to: number }) => to), rest.hasMore]).toEqual([[1], false])
  })

  test('is hidden from others', async () => {
    const [{ id }] = await changes()
    for (const answer of [
      await me.get('/settings/changes'),
      await me.get('/settings/state'),
      await me.post(`/settings/changes/${id}/undo`, { version: 1 }),
    ])
      expect(answer.status).toBe(403)
  })
})

describe('undoing a change', () => {
  test('restores the value before it, down to the default, and is a change itself', async () => {
    good(await set(anna, { chiefDoctor: 'Первая' }))
    good(await set(anna, { chiefDoctor: 'Вторая' }))
    const [second, first] = await changes('?name=chiefDoctor')
    expect(good(await boris.post(`/settings/changes/${second.id}/undo`, { version: 2 }))).toMatchObject({
      from: 'Вторая',
      to: 'Первая',
      version: 3,
      idUndone: second.id,
    })
    good(await boris.post(`/settings/changes/${first.id}/undo`, { version: 3 }))
    expect((await state()).values.chiefDoctor).toBe(commonSettings.chiefDoctor.byDefault)
    expect(await changes('?name=chiefDoctor')).toHaveLength(4)
  })

  test('is refused when the setting was changed since it was read', async () => {
    good(await set(anna, { licenceAddresses: 'Москва' }))
    const [change] = await changes('?name=licenceAddresses')
    good(await set(boris, { licenceAddresses: 'Тверь' }))
    const answer = await anna.post(`/settings/changes/${change.id}/undo`, { version: 1 })
    expect([answer.status, answer.body.code]).toEqual([409, 'settingChanged'])
    expect((await state()).values.licenceAddresses).toBe('Тверь')
  })

  test('does not find a missing change', async () => {
    expect((await anna.post('/settings/changes/999999/undo', { version: 1 })).status).toBe(404)
  })
})

describe('two concurrent saves', () => {
  test('the second gets the current value at the field, and nothing of it is written', async () => {
    good(await set(anna, { directorName: 'Орлова', _versions: { directorName: 0 } }))
    const late = { directorName: 'Соколова', directorPost: 'Директор', _versions: { directorName: 0, directorPost: 0 } }
    const answer = await set(boris, late)
    expect(answer.status).toBe(409)
    expect(answer.body.fields).toEqual([
      {
        field: 'directorName',
        message: 'Пока вы меняли, здесь стало: Орлова; это сделано с учётной записи «Щукина А.»',
      },
    ])
    expect((await state()).values).toMatchObject({ directorName: 'Орлова', directorPost: '' })
  })

  test('of different settings are both kept, and of the same value is no conflict', async () => {
    const [one, other] = await Promise.all([
      set(anna, { egiszHours: 5, _versions: { egiszHours: 0 } }),
      set(boris, { sosnilsPerDay: 7, _versions: { sosnilsPerDay: 0 } }),
    ])
    expect([one.status, other.status]).toEqual([200, 200])
    expect((await set(boris, { egiszHours: 5, _versions: { egiszHours: 0 } })).status).toBe(200)
    expect((await state()).values).toMatchObject({ egiszHours: 5, sosnilsPerDay: 7 })
  })

  test('eight at once leave eight changes in order', async () => {
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => set(anna, { expiryNotice: n })))
    const recorded = (await changes('?name=expiryNotice')).reverse()
    expect(recorded.map(({ version }: { version: number }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    for (const [at, change] of recorded.entries()) expect(change.from).toBe(at === 0 ? null : recorded[at - 1].to)
  })

  test.each([[{ _versions: 'x' }], [{ _versions: { nothing: 1 } }], [{ _versions: { tariff: 'a' } }]])(
    '%j is refused',
    async (body) => {
      expect((await set(anna, body)).body).toMatchObject([{ field: '_versions' }])
    },
  )
})

test('a secret is written and never returned: only whether there is one', async () => {
  const secret = 'тайна-8f3a91c'
  const written = await set(anna, { egiszToken: secret })
  expect(good(written).egiszToken).toBe(true)
  const exits = JSON.stringify([
    written.body,
    await state(),
    await changes(),
    await anna.post('/common/get-account', {}),
  ])
  expect(exits).not.toContain(secret)
  expect((await changes('?name=egiszToken'))[0]).toMatchObject({ from: null, to: true })
  const kept = await clinic.db.query<{ value: string }>(sql`select value from common_setting_secrets`)
  // Encrypted: neither the table nor a backup reveals it.
  expect(kept).toEqual([{ value: expect.stringMatching(/^enc1:/) }])
  expect(await secretOf(clinic.db, 'egiszToken')).toBe(secret)
  const stored = await clinic.db.query<{ value: unknown }>(
    sql`select value from common_settings where name = 'egiszToken'`,
  )
  expect(stored).toEqual([{ value: true }])
  const [{ id, version }] = await changes('?name=egiszToken')
  expect((await anna.post(`/settings/changes/${id}/undo`, { version })).body.code).toBe('secret')
  expect(good(await set(anna, { egiszToken: '' })).egiszToken).toBe(false)
  expect(await clinic.db.query(sql`select 1 from common_setting_secrets`)).toEqual([])
})

describe('the logo of the clinic', () => {
  /** Grey, of this many pixels. */
  const picture = async (width: number, height: number, format: 'png' | 'jpeg' = 'png') => {
    const { default: sharp } = await import('sharp')
    const bytes = await sharp({ create: { width, height, channels: 3, background: '#0b7285' } })
      [format]()
      .toBuffer()
    return `data:image/${format};base64,${bytes.toString('base64')}`
  }
  const shown = (name: string) => clinic.anonymous.get(`/settings/pictures/${name}`)

  test('is re-rendered, addressed by content, visible before sign-in, and can be undone', async () => {
    const first = good(await set(anna, { companyLogo: await picture(1_200, 300, 'jpeg'), companyColor: '#0b7285' }))
    expect(first.companyLogo).toMatch(/^[\da-f]{64}$/)
    const answer = await shown(first.companyLogo)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/png'])
    const { default: sharp } = await import('sharp')
    expect(await sharp(answer.bytes).metadata()).toMatchObject({ format: 'png', width: 480, height: 120 })
    expect(good(await clinic.anonymous.get('/settings/face'))).toMatchObject({
      logo: first.companyLogo,
      color: '#0b7285',
    })
    const second = good(await set(anna, { companyLogo: await picture(60, 60) }))
    // A former one is not served, and undo restores it.
    expect((await shown(first.companyLogo)).status).toBe(404)
    const [{ id, version, from, to }] = await changes('?name=companyLogo')
    expect([from, to]).toEqual([first.companyLogo, second.companyLogo])
    good(await anna.post(`/settings/changes/${id}/undo`, { version }))
    expect((await shown(first.companyLogo)).status).toBe(200)
    good(await set(anna, { companyLogo: '' }))
    expect((await shown(first.companyLogo)).status).toBe(404)
  })

  test("is in printed documents, with headings in the clinic's colour", async () => {
    good(await set(anna, { companyLogo: await picture(400, 100), companyColor: '#c92a2a' }))
    const body = '<p>{{ если Логотип }}{{ Логотип }}{{ конец }}</p><h2>Заголовок</h2>'
    const paper = good(await anna.post('/print-templates', { name: 'С логотипом', entity: 'customers', body }), 201)
    const { id } = good(await me.post('/customers', { surname: 'Орлова', name: 'Анна' }), 201)
    const { bytes, status } = await me.get(`/print-templates/${paper.id}/pdf?record=${id}`)
    expect(status).toBe(200)
    expect(Buffer.from(bytes).toString('latin1')).toContain('/Subtype /Image')
    good(await set(anna, { companyLogo: '' }))
    const plain = await me.get(`/print-templates/${paper.id}/pdf?record=${id}`)
    expect(Buffer.from(plain.bytes).toString('latin1')).not.toContain('/Subtype /Image')
  })

  test.each<[string, string]>([
    ['data:image/svg+xml;base64,PHN2Zy8+', 'Нужна картинка'],
    ['data:image/png;base64,AAAA', 'повреждена'],
    ['f'.repeat(64), 'Такой картинки нет'],
    ['https://clinic.ru/logo.png', 'Нужна картинка'],
    [`data:image/png;base64,${'A'.repeat(800_000)}`, 'не больше'],
  ])('cannot be %.40s', async (companyLogo, words) => {
    const { status, body } = await set(anna, { companyLogo })
    expect([status, body[0].field]).toEqual([422, 'companyLogo'])
    expect(body[0].message).toContain(words)
  })
})

describe('an invalid setting', () => {
  test.each<[object, string]>([
    [{ allowedAddresses: ['300.1.1.1'] }, 'allowedAddresses.0'],
    [{ allowedAddresses: ['10.0.0.0/33'] }, 'allowedAddresses.0'],
    [{ mainOrganization: 999_999 }, 'mainOrganization'],
    [{ costMethod: 'lifo' }, 'costMethod'],
    [{ egiszOid: '1.2.а' }, 'egiszOid'],
    [{ egiszCertificate: 'zz' }, 'egiszCertificate'],
    [{ attachmentRefusals: ['', ' '] }, 'attachmentRefusals'],
    [{ customerRequired: ['phone', 'phone'] }, 'customerRequired'],
    [{ companyEmail: 'почта' }, 'companyEmail'],
    [{ sessionHours: 0 }, 'sessionHours'],
    [{ passwordLength: 7 }, 'passwordLength'],
    [{ egiszToken: true }, 'egiszToken'],
    [{ egiszMode: 'both' }, 'egiszMode'],
    [{ egiszCallback: 'шлюз' }, 'egiszCallback'],
    [{ sosnilsMode: 'both' }, 'sosnilsMode'],
    [{ portalEsia: 'да' }, 'portalEsia'],
    [{ attachmentFields: ['phone', 'inn'] }, 'attachmentFields.1'],
    [{ attachmentNormTherapy: 0 }, 'attachmentNormTherapy'],
    [{ attachmentTaken: 'я'.repeat(1001) }, 'attachmentTaken'],
    [{ tfomsCode: '12' }, 'tfomsCode'],
    [{ tfomsMode: 'both' }, 'tfomsMode'],
    [{ tfomsToken: true }, 'tfomsToken'],
    [{ ownConsentAge: 14 }, 'ownConsentAge'],
    [{ ownConsentAge: 19 }, 'ownConsentAge'],
    [{ customerDuplicates: ['inn'] }, 'customerDuplicates.0'],
    [{ customerSequence: 999_999 }, 'customerSequence'],
    [{ defaultWarehouses: { нет: 1 } }, 'defaultWarehouses.нет'],
    [{ defaultWarehouses: { 1: 'склад' } }, 'defaultWarehouses.1'],
    [{ defaultWarehouses: [1] }, 'defaultWarehouses'],
  ])('%j', async (body, field) => {
    const answer = await set(anna, body)
    expect([answer.status, answer.body[0]?.field]).toEqual([422, field])
  })
})

describe('the declaration', () => {
  test('each page of settings is in the page list, and each setting has a unique label', () => {
    expect(settingsChildren.map(({ page }) => pages.find(({ key }) => key === page)?.path.split('/')[0])).toEqual(
      settingsChildren.map(() => 'settings'),
    )
    const labels = commonSettingNames.map((name) => commonSettings[name].label)
    expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([])
    for (const name of commonSettingNames.filter((one) => !isSecret(one)))
      expect(commonSettings[name].check.safeParse(commonSettings[name].byDefault).success, name).toBe(true)
  })

  test.each<[string, CommonSettingName]>([
    ['пароль', 'passwordLength'],
    ['тихие часы', 'messageHours'],
    ['норма участка', 'attachmentNormTherapy'],
    ['ключ смс', 'smsToken'],
    ['белый список ip', 'allowedAddresses'],
    ['длина сеанса', 'sessionHours'],
    ['лицензии', 'licenceAddresses'],
    ['фифо', 'costMethod'],
    ['неявки', 'noShowCall'],
    ['СНИЛС пароль', 'sosnilsPassword'],
    ['отчёт', 'attachmentOpen'],
  ])('«%s» finds %s, or nothing if there is no match', (typed, name) => {
    if (typed === 'отчёт') expect(findSettings(typed)).not.toContain(name)
    else expect(findSettings(typed).slice(0, 3)).toContain(name)
  })

  test('every setting is found first by its own name', () => {
    for (const name of commonSettingNames) expect(findSettings(commonSettings[name].label)[0]).toBe(name)
  })
})

test("a card requires the clinic's mandatory fields", async () => {
  good(await set(anna, { customerRequired: ['phone', 'birthday'] }))
  const refused = await me.post('/customers', { surname: 'Лисицын', phone: '89123456701' })
  expect([refused.status, refused.body]).toEqual([
    422,
    [{ field: 'birthday', message: 'Дата рождения: без этого карта не создаётся' }],
  ])
  const made = good(
    await me.post('/customers', { surname: 'Лисицын', phone: '89123456701', birthday: '01.02.1990' }),
    201,
  )
  good(await set(anna, { customerRequired: ['email'] }))
  good(await me.put(`/customers/${made.id}`, { name: 'Пётр' }))
  good(await set(anna, { customerRequired: [] }))
})

describe('the number of a new card', () => {
  const sequence = async (body: object) =>
    good(await anna.post('/sequences', { name: `Карты ${body}`, mask: '{YYYY}-{0000}', ...body }), 201).id
  const card = async (body: object = {}) => good(await me.post('/customers', { surname: 'Нумеров', ...body }), 201)

  test('comes from the configured numbering if none was entered, in sequence', async () => {
    const idSequence = await sequence({ name: 'Карты', code: 'card' })
    expect((await card()).cardNumber).toBeNull()
    good(await set(anna, { customerSequence: idSequence }))
    const year = new Date().getFullYear()
    expect((await card()).cardNumber).toBe(`${year}-0001`)
    expect((await card({ cardNumber: 'А-17' })).cardNumber).toBe('А-17')
    const together = await Promise.all([card(), card(), card()])
    expect(together.map(({ cardNumber }) => cardNumber).sort()).toEqual(
      ['0002', '0003', '0004'].map((number) => `${year}-${number}`),
    )
    // A deleted numbering does not prevent creating cards.
    good(await anna.delete(`/sequences/${idSequence}`), 204)
    expect((await card()).cardNumber).toBeNull()
    good(await set(anna, { customerSequence: null }))
  })

  test('must be of the clinic: a numbering by branches is refused', async () => {
    const own = await sequence({
      name: 'По филиалам',
      code: 'card-filial',
      mask: '{ФИЛ}-{YYYY}-{000}',
      perFilial: true,
    })
    const named = await sequence({ name: 'С филиалом', code: 'card-named', mask: '{ФИЛ}-{YYYY}-{000}' })
    for (const customerSequence of [own, named])
      expect((await set(anna, { customerSequence })).body).toMatchObject([{ field: 'customerSequence' }])
  })
})

test("likely duplicates follow the clinic's settings, certain ones always count", async () => {
  const similar = async (query: string) => good(await me.get(`/customers/similar?${query}`)).items
  const pairs = async (...ids: number[]) =>
    good(await me.get('/customers/duplicates')).items.filter(
      ({ first, second }: { first: { id: number }; second: { id: number } }) =>
        ids.includes(first.id) && ids.includes(second.id),
    )
  const body = { surname: 'Двойнев', name: 'Лев', birthday: '03.04.1971', phone: '89123456777' }
  const ids = [
    good(await me.post('/customers', body), 201).id,
    good(await me.post('/customers', body), 201).id,
  ] as const
  const typed = `surname=Двойнев&name=Лев&birthday=03.04.1971&phone=89123456777&except=${ids[0]}`
  expect((await similar(typed))[0]?.because.sort()).toEqual(['fio', 'phone'])
  expect((await pairs(...ids))[0]?.because.sort()).toEqual(['fio', 'phone'])
  good(await set(anna, { customerDuplicates: ['phone'] }))
  expect((await similar(typed))[0]?.because).toEqual(['phone'])
  expect((await pairs(...ids))[0]?.because).toEqual(['phone'])
  good(await set(anna, { customerDuplicates: [] }))
  expect([await similar(typed), await pairs(...ids)]).toEqual([[], []])
  const certain = { snils: '112-233-445 95', duplicateReason: 'Номер переписан с чужой карты' }
  for (const id of ids) good(await me.put(`/customers/${id}`, certain))
  expect((await pairs(...ids))[0]?.because).toEqual(['snils'])
  good(await set(anna, { customerDuplicates: ['fio', 'phone'] }))
  expect((await pairs(...ids))[0]?.because.sort()).toEqual(['fio', 'phone', 'snils'])
})

describe('the warehouse of a branch', () => {
  const warehouse = async (idFilial: number, body: object = {}) =>
    good(await anna.post('/warehouses', { name: `Склад ${Math.random()}`, idFilial, ...body }), 201).id
  const filial = async (nameFilial: string) => good(await anna.post('/filials', { nameFilial }), 201).id
  const refused = async (defaultWarehouses: object) => (await set(anna, { defaultWarehouses })).body[0]?.field

  test('must be one of its own that may issue goods; the change is recorded and can be undone', async () => {
    const [north, south] = [await filial('Северный склад'), await filial('Южный склад')]
    const [main, other] = [await warehouse(north), await warehouse(south)]
    expect(await refused({ [north]: other })).toBe(`defaultWarehouses.${north}`)
    expect(await refused({ 999999: main })).toBe('defaultWarehouses.999999')
    expect(await refused({ [north]: await warehouse(north, { kind: 'quarantine' }) })).toBe(
      `defaultWarehouses.${north}`,
    )
    expect(await refused({ [north]: await warehouse(north, { active: false }) })).toBe(`defaultWarehouses.${north}`)
    good(await set(anna, { defaultWarehouses: { [north]: main, [south]: other } }))
    good(await set(boris, { defaultWarehouses: { [south]: other } }))
    const [last] = await changes('?name=defaultWarehouses')
    expect(last).toMatchObject({ from: { [north]: main, [south]: other }, to: { [south]: other } })
    good(await anna.post(`/settings/changes/${last.id}/undo`, { version: last.version }))
    expect(good(await anna.get('/settings/common')).defaultWarehouses).toEqual({ [north]: main, [south]: other })
  })

  test('is set with the right to set up the clinic, and hidden from others', async () => {
    expect((await me.get('/warehouses')).status).toBe(403)
    expect((await me.post('/warehouses', { name: 'Чужой', idFilial: 1 })).status).toBe(403)
  })
})

test("the clinic's table settings apply to users without their own", async () => {
  good(await set(anna, { tableBorders: true }))
  expect((await me.get('/user-settings/main')).body.showTableBorders).toBe(true)
  good(await me.put('/user-settings/main', { showTableBorders: false }))
  expect((await me.get('/user-settings/main')).body.showTableBorders).toBe(false)
})
