import { Payment } from '@ordinator/model/areas/money/payment'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import type { AnyField } from '@ordinator/model/entity'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { paperText } from '#records/fields/registry.ts'
import { good } from '#testing/good.ts'
import type { Answer, Caller } from '#testing/harness.ts'
import {
  clinic,
  desk,
  diary,
  filials,
  keeper,
  nurse,
  openPrintClinic,
  other,
  patient,
  stranger,
  template,
} from './testing/printClinic.ts'

openPrintClinic()

let serial = 0

const visit = async (idCustomer: number): Promise<number> => {
  const idUser: number = good(await keeper.get('/users?filter[login]=desk')).items[0].id
  const made = await clinic.context.engine.for({ ...systemActor, id: idUser }).asSystem.create(Appointment, {
    idCustomer,
    idFilial: filials.one,
    idUser,
    localDate: '2026-11-20',
    localStart: '10:00',
    dateFrom: '2026-11-20T07:00:00Z',
    dateTo: '2026-11-20T07:30:00Z',
  })
  return made.id
}
const print = (id: number, record: number, as: Caller = desk, more = '') =>
  as.get(`/print-templates/${id}/pdf?record=${record}${more}`)
const words = async ({ status, bytes, text }: Answer): Promise<string> => {
  expect(status, text.slice(0, 300)).toBe(200)
  const { text: content } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })
  return content.replace(/\s+/g, ' ').trim()
}

describe('a print', () => {
  it("contains the record, its lists, the printing user and the clinic's day", async () => {
    const { id } = await patient({ surname: 'Ёлкина', birthday: '01.02.1980', phone: '89123456789' })
    for (const number of ['ДМС-77001', 'ДМС-77002'])
      good(await keeper.post('/customers/policies', { idCustomer: id, type: 'dms', number }), 201)
    const { id: paper } = await template({
      header: '<p>Для {{ ФИО | кратко }}</p>',
      footer: '<p>Печатает {{ Печатает.Логин | или "кто-то" }}</p>',
      body: '<h2>Карта</h2><p>{{ ФИО }}, {{ Дата рождения }}, {{ Телефон }}</p><table><tbody><tr><td><p>{{ для каждого полиса }}{{ № }}</p></td><td><p>{{ Вид }} {{ Номер }}{{ конец }}</p></td></tr></tbody></table><p>{{ если Аллергии }}Аллергия!{{ иначе }}Аллергий нет{{ конец }}</p><p>{{ № | qr }}</p><p>{{ Фамилия | ean13 }}</p>',
    })
    const text = await words(await print(paper, id))
    expect(text).toContain('Для Ёлкина А. Н.')
    expect(text).toMatch(/Ёлкина Анна Номер\d+, 01.02.1980, \+7 \(912\) 345-67-89/)
    expect(text).toContain('1 Полис ДМС ДМС-77001')
    expect(text).toContain('2 Полис ДМС ДМС-77002')
    expect(text).toContain('Аллергий нет')
    // The login is hidden from the printing user; a code that cannot encode a word is printed as that word.
    expect(text).toContain('Печатает кто-то')
    expect(text).toContain('Ёлкина')
    expect(await words(await print(paper, id, keeper))).toContain('Печатает keeper')
  })

  it("contains only data in the user's scope", async () => {
    const { id } = await patient()
    const { id: paper } = await template({ body: '<p>{{ ФИО }} {{ Источник }}</p>' })
    expect((await print(paper, id, stranger)).status).toBe(403)
    expect((await print(paper, 999_999)).status).toBe(404)
    expect((await clinic.anonymous.get(`/print-templates/${paper}/pdf?record=${id}`)).status).toBe(401)
    // A template of another entity with a reference to the patient reveals nothing of the patient without rights.
    const user = (await stranger.get('/users?limit=1')).body.items[0].id
    const { id: ofUser } = await template({ entity: 'users', body: '<p>{{ ФИО }}|{{ СНИЛС }}|{{ Логин }}|</p>' })
    expect(await words(await print(ofUser, user, stranger))).toMatch(/\|\|\|$/)
  })

  it('of a restricted card is refused until a reason is given', async () => {
    const { id } = await patient({ secretLevel: 'vip' })
    const { id: paper } = await template()
    const refused = await print(paper, id, other)
    expect([refused.status, refused.body.code]).toEqual([403, 'sealed'])
    good(await other.post(`/customers/${id}/open`, { reason: 'Звонок пациента' }), 204)
    expect((await print(paper, id, other)).status).toBe(200)
  })

  it('of a visit names no patient with a restricted card', async () => {
    const sealed = await patient({ secretLevel: 'vip' })
    const id = await visit(sealed.id)
    const { id: paper } = await template({ entity: 'appointments', body: '<p>{{ Клиент.ФИО }}</p>' })
    const refused = await print(paper, id, other)
    expect([refused.status, refused.body.code]).toEqual([403, 'sealed'])
    good(await other.post(`/customers/${sealed.id}/open`, { reason: 'Пришёл на приём' }), 204)
    expect(await words(await print(paper, id, other))).toContain('Орлова Анна')
  })

  it('names no relative with a restricted card', async () => {
    const [child, mother] = [await patient(), await patient({ secretLevel: 'staff' })]
    good(
      await keeper.post('/customers/relations', { idCustomer: child.id, idRelative: mother.id, relation: 'mother' }),
      201,
    )
    const { id: paper } = await template({ body: '<p>{{ Представитель.Клиент клиники.ФИО }}</p>' })
    const refused = await print(paper, child.id, other)
    expect([refused.status, refused.body.code]).toEqual([403, 'sealed'])
    good(await other.post(`/customers/${mother.id}/open`, { reason: 'Подписывает за ребёнка' }), 204)
    expect(await words(await print(paper, child.id, other))).toContain(mother.middleName)
  })

  it('of a visit without the right to cards omits the name', async () => {
    const id = await visit((await patient()).id)
    const { id: paper } = await template({
      entity: 'appointments',
      body: '<p>{{ День }}|{{ Клиент.ФИО }}|</p>',
      askSign: true,
    })
    const text = await words(await print(paper, id, diary))
    expect(text).toContain('20.11.2026||')
    expect(text).not.toContain('Орлова')
  })

  it("has the clinic's requisites for every user, and nothing else of its organization", async () => {
    const organization = good(
      await keeper.post('/organizations', {
        shortName: 'ООО «Здоровье»',
        kind: 'own',
        inn: '7707083893',
        legalAddress: 'Москва, Тверская, 1',
        licenceNumber: 'ЛО-77',
        taxSystem: 'osn',
      }),
      201,
    )
    const of = { idOrganization: organization.id }
    good(await keeper.post('/organizations/signatories', { ...of, fio: 'Громов Г. Г.', post: 'директор' }), 201)
    const { id } = await patient()
    const our = (words: string) => `{{ Наша организация.${words} }}`
    const { id: paper } = await template({
      body: `<p>${['Краткое название', 'ИНН', 'Юридический адрес', 'Номер лицензии', 'Подписант.ФИО', 'Система налогообложения'].map(our).join('|')}|</p>`,
    })
    const requisites = 'ООО «Здоровье»|7707083893|Москва, Тверская, 1|ЛО-77|Громов Г. Г.|'
    expect(await words(await print(paper, id, nurse))).toBe(`${requisites}|`)
    expect(await words(await print(paper, id, keeper))).toBe(`${requisites}ОСН|`)
  })

  it('adds one line to the access journal', async () => {
    const { id } = await patient()
    const { id: paper, name } = await template()
    await print(paper, id)
    const { items } = good(await keeper.get(`/access-log?idCustomer=${id}&action=print`))
    expect(items.map((one: { basis: string }) => one.basis)).toEqual([name])
    const { items: looks } = good(await keeper.get(`/access-log?idCustomer=${id}&action=view`))
    expect(looks).toEqual([])
  })

  it('gets its number once, under concurrent prints, and without gaps', async () => {
    const sequence = good(
      await keeper.post('/sequences', {
        name: 'Договоры',
        code: `c${++serial}`,
        mask: '{ФИЛ}-{000}',
        reset: 'never',
        perFilial: true,
      }),
      201,
    )
    const { id: paper } = await template({ body: '<p>№ {{ Номер документа }}</p>', idSequence: sequence.id })
    const [one, two] = [await patient(), await patient()]
    const refused = await print(paper, one.id)
    expect([refused.status, refused.body[0].field]).toEqual([422, 'idFilial'])
    const at = `&idFilial=${filials.one}`
    const many = await Promise.all(Array.from({ length: 6 }, () => print(paper, one.id, desk, at).then(words)))
    expect(new Set(many)).toEqual(new Set(['№ ЛЕН-001']))
    expect(await words(await print(paper, two.id, desk, at))).toBe('№ ЛЕН-002')
    // A sample gets none.
    expect(await words(await print(paper, (await patient()).id, keeper, `&sample=1`))).toBe('№ образец')
    expect(await words(await print(paper, (await patient()).id, desk, at))).toBe('№ ЛЕН-003')
    expect((await print(paper, one.id, desk, '&sample=1')).status).toBe(403)
  })

  it('with a number keeps the requisites of its making; one without a number has those of today', async () => {
    const own = good(await keeper.get('/organizations?filter[kind]=own&sort=id&limit=1')).items[0]
    const sequence = good(
      await keeper.post('/sequences', { name: 'Акты', code: `k${++serial}`, mask: '{000}', reset: 'never' }),
      201,
    )
    const body = '<p>{{ Наша организация.Юридический адрес }}|{{ Наш филиал.Название }}|{{ Наша организация.ИНН }}</p>'
    const [numbered, plain] = [await template({ body, idSequence: sequence.id }), await template({ body })]
    const { id } = await patient()
    const at = `&idFilial=${filials.one}`
    const both = async (of: number) => [
      await words(await print(numbered.id, of, keeper, at)),
      await words(await print(plain.id, of, keeper, at)),
    ]
    const made = await both(id)
    expect(made[0]).toBe(made[1])
    good(await keeper.put(`/organizations/${own.id}`, { legalAddress: 'Казань, Баумана, 2', inn: '7728168971' }))
    good(await keeper.put(`/filials/${filials.one}`, { nameFilial: 'Ленинский новый' }))
    const now = 'Казань, Баумана, 2|Ленинский новый|7728168971'
    expect(await both(id)).toEqual([made[0], now])
    // A document that is made now has what holds now.
    expect(await both((await patient()).id)).toEqual([now, now])
    good(await keeper.put(`/filials/${filials.one}`, { nameFilial: 'Ленинский' }))
  })

  it('with a number names its people as at its making, until it is made anew with a reason; both versions stay', async () => {
    const sequence = good(
      await keeper.post('/sequences', { name: 'Расписки', code: `v${++serial}`, mask: '{000}', reset: 'never' }),
      201,
    )
    const of = { idSequence: sequence.id, askSign: true, kind: 'reference' }
    const card = await template({ ...of, body: '<p>{{ ФИО }}, {{ Адрес регистрации }}</p>' })
    const paper = await template({ ...of, entity: 'appointments', body: '<p>{{ Клиент.ФИО }} у {{ Врач.ФИО }}</p>' })
    const { id: idCustomer } = await patient({ surname: 'Девичья', address: 'Тверь' })
    const id = await visit(idCustomer)
    const papers = async (as: Caller = other, more = '') => [
      await words(await print(card.id, idCustomer, as, more)),
      await words(await print(paper.id, id, as, more)),
    ]
    const made = await papers()
    expect(made.every((text) => text.split('Девичья').length === 3)).toBe(true)
    const idDoctor = good(await keeper.get('/users?filter[login]=desk')).items[0].id
    good(await keeper.put(`/customers/${idCustomer}`, { surname: 'Замужняя', address: 'Псков' }))
    const { surname } = good(await keeper.put(`/users/${idDoctor}`, { surname: 'Иной' }))
    expect(surname).toBe('Иной')
    expect(await papers()).toEqual(made)
    // A user without the right to cards sees no name, kept or not.
    expect(await words(await print(paper.id, id, diary))).not.toMatch(/Девичья|Замужняя/)
    const reissue = (template: number, record: number, reason: string, as: Caller = other) =>
      as.post(`/print-templates/${template}/reissue`, { record, reason })
    expect((await reissue(paper.id, id, '')).status).toBe(422)
    expect([403, 404]).toContain((await reissue(paper.id, id, 'Сменила фамилию', stranger)).status)
    expect((await reissue(paper.id, await visit(idCustomer), 'Не печатали')).status).toBe(409)
    expect(good(await reissue(paper.id, id, 'Сменила фамилию')).version).toBe(2)
    const [, renewed = ''] = await papers()
    expect(renewed).toContain('Замужняя')
    expect(renewed).not.toContain('Девичья')
    expect(await words(await print(paper.id, id, other, '&version=1'))).toBe(made[1])
    expect((await print(paper.id, id, other, '&version=3')).status).toBe(404)
    const [kept] = good(await other.get(`/print-templates/numbered?entity=appointments&record=${id}`)).items
    expect(kept).toMatchObject({
      idTemplate: paper.id,
      version: 2,
      former: [{ version: 1, reason: 'Сменила фамилию' }],
    })
    const { items } = good(await keeper.get(`/access-log?idCustomer=${idCustomer}&action=print`))
    expect(items.map((one: { basis: string }) => one.basis).join()).toContain('Сменила фамилию')
    good(await keeper.put(`/users/${idDoctor}`, { surname: 'desk' }))
  })

  it('is offered in its period and in its branches', async () => {
    const { id } = await patient()
    const ended = await template({ validTo: '2020-01-01' })
    expect(ended.isInForce).toBe(false)
    expect((await print(ended.id, id)).status).toBe(409)
    const ofTwo = await template({ filials: [filials.two] })
    expect((await print(ofTwo.id, id)).status).toBe(200)
    const me = good(await keeper.get('/users?filter[login]=desk')).items[0]
    good(await keeper.put(`/users/${me.id}`, { filials: [filials.one] }))
    expect((await print(ofTwo.id, id)).status).toBe(404)
    expect(good(await desk.get(`/print-templates?filter[id]=${ofTwo.id}`)).items).toEqual([])
    good(await keeper.put(`/users/${me.id}`, { filials: [filials.one, filials.two] }))
    expect((await print(ofTwo.id, id)).status).toBe(200)
    good(await keeper.put(`/users/${me.id}`, { filials: [] }))
  })

  it('has the length of its text, the number of copies, and its paper format', async () => {
    const { id } = await patient()
    const long = `<p>${'Очень длинный договор. '.repeat(30)}</p>`.repeat(70)
    const { id: paper } = await template({ body: long, paper: 'a5', copies: 2, askSign: true, header: '<p>Сверху</p>' })
    const made = await print(paper, id)
    const { numPages } = await getDocumentProxy(new Uint8Array(made.bytes))
    expect(numPages).toBeGreaterThan(20)
    const text = await words(made)
    expect(text.match(/Сверху/g)).toHaveLength(numPages)
    expect(text).toContain(`1 из ${numPages / 2}`)
    expect(text.match(/От клиники/g)).toHaveLength(2)
  })

  it('that cannot be printed is refused with a message, and the next one works', async () => {
    const { id } = await patient()
    const { id: paper } = await template({
      body: '<p>{{ ФИО }}</p>',
      header: `<p>${'Высокий колонтитул '.repeat(200)}</p>`,
    })
    expect((await print(paper, id)).body.message).toContain('олонтитул')
    expect(await words(await print((await template()).id, id))).toContain('Орлова')
  })
})

it('receipt states and payment methods are printed as words', () => {
  expect(paperText(Payment.all.methods as AnyField, ['cash', 'card'], 'UTC')).toBe('Наличные, Карта')
  expect(['done', 'queued', 'none'].map((state) => paperText(Payment.all.receipt as AnyField, state, 'UTC'))).toEqual([
    'Пробит',
    'В очереди',
    'Без чека',
  ])
})

it('a table without lines has none on paper, and keeps that through saving', async () => {
  const { id } = await patient()
  const rows = '<tbody><tr><td><p>Пол</p></td><td><p>{{ Фамилия }}</p></td></tr></tbody>'
  /** Number of drawn paths: only the frames of cells here. */
  const frames = async (html: string) => {
    const { id: paper, body } = await template({ body: html, hasPageNumbers: false })
    const made = await print(paper, id)
    expect(await words(made)).toContain('Пол Орлова')
    const page = await (await getDocumentProxy(new Uint8Array(made.bytes))).getPage(1)
    const { fnArray } = await page.getOperatorList()
    return { body, drawn: fnArray.filter((one) => one === CONSTRUCT_PATH).length }
  }
  expect((await frames(`<table>${rows}</table>`)).drawn).toBe(2)
  const bare = await frames(`<table data-lines="none">${rows}</table>`)
  expect(bare).toEqual({ body: `<table data-lines="none">${rows}</table>`, drawn: 0 })
  expect((await frames(`<table data-lines="all">${rows}</table>`)).body).toBe(`<table>${rows}</table>`)
})

/** Name in pdf.js. */
const CONSTRUCT_PATH = 91
