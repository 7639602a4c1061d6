/** Import of deals from a file: parsing, validation, writing, and undo. */
import { cannotComplete } from '@ordinator/model/areas/sales/rules'
import { messages } from '@ordinator/model/messages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { csv, importFiles } from '#testing/importFiles.ts'
import { addPerson } from '#testing/people.ts'
import { deals, good } from './testing/deals.ts'

const S = '/sales-management'
let clinic: Clinic
let seller: Caller
let files: ReturnType<typeof importFiles>

interface Deal {
  id: number
  title: string
  price: number | null
  dateExpected: string | null
  dateNextStep: string | null
  description: string | null
  idStage: number
  contacts: { fio: string; surname: string; phone: string | null; email: string | null }[]
  responsible: { idUser: number; user: { surname: string } }[]
  tags: { name: string; color: string }[]
  source: { name: string } | null
  company: { id: number; name: string } | null
}

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'seller', ['editSalesManagement', 'editFunnels', 'editUsers'], {
        surname: 'Петров',
        name: 'Пётр',
      })
      await addPerson(app, 'anna', ['editSalesManagement'], { surname: 'Иванова', name: 'Анна' })
      await addPerson(app, 'twin1', ['editSalesManagement'], { surname: 'Сидоров', name: 'Иван' })
      await addPerson(app, 'twin2', ['editSalesManagement'], { surname: 'Сидоров', name: 'Иван' })
      await addPerson(app, 'reader', ['viewSalesManagement'])
    },
  })
  seller = clinic.as('seller')
  files = importFiles(clinic, 'leads')
  await deals(seller).make('sources', { name: 'Сайт клиники', UTM: 'site' })
  await deals(seller).make('loss-reasons', { name: 'Дорого' })
})
afterAll(() => clinic.close())

const dealsOf = async (idFunnel: number): Promise<Deal[]> =>
  deals(seller).list(
    `leads?filter[idFunnel]=${idFunnel}&sort=order&limit=500&expand=contacts,responsible.user,tags,source,company`,
  )
const titles = (found: Deal[]) => found.map(({ title }) => title)
const open = async (body: object = {}) => deals(seller).funnel(body)

describe('deals of a table', () => {
  it('are created with contact, company, people, source and tags, in the order of the file', async () => {
    const funnel = await open()
    await deals(seller).deal(funnel.stages[0], { title: 'Была' })
    const file = csv(
      'Сделка;Статус;Бюджет;Ответственный;Источник;Ожидаемая дата;Следующий шаг;Когда;Теги;Описание;Контакт: ФИО;Телефон;Почта;Компания',
      'Первая;В работе;1 234,50;anna;site;15.12.2026;Позвонить;05.12.2026 10:00;"ВИП, ""Раз, два""";"Две\nстроки";Смирнова Ольга Игоревна;8 (999) 123-45-67;olga@example.ru;ООО «Ромашка»',
      'Вторая;;1234.5;;;;;;;;Олег;+7 999 765 43 21; ;ооо  «ромашка»',
      'Третья;;"2 000 000 ₽";Петров Пётр, anna;;;;;;;;;;',
    )
    const preview = good(await files.preview(seller, file, { idFunnel: funnel.id }))
    expect(preview).toMatchObject({ total: 3, wrong: 0, skipped: 0, errors: [] })
    expect(Object.keys(preview.mapping)).toHaveLength(14)
    expect(preview.rows[0]?.values).toMatchObject({
      Этап: 'В работе',
      Телефон: '+7 (999) 123-45-67',
      Источник: 'Сайт клиники',
    })
    expect(titles(await dealsOf(funnel.id))).toEqual(['Была'])

    const run = await files.end(seller, await files.begin(seller, preview))
    expect(run).toMatchObject({ state: 'done', created: 3, failed: 0 })
    const [, work] = funnel.stages
    const found = await dealsOf(funnel.id)
    const first = found.find(({ title }) => title === 'Первая')
    expect(first).toMatchObject({
      idStage: work,
      price: 1234.5,
      dateExpected: '2026-12-15',
      description: '<p>Две</p><p>строки</p>',
      source: { name: 'Сайт клиники' },
      company: { name: 'ООО «Ромашка»' },
      contacts: [{ surname: 'Смирнова', phone: '+79991234567', email: 'olga@example.ru' }],
    })
    expect(first?.responsible.map(({ user }) => user.surname)).toEqual(['Иванова'])
    expect(first?.tags.map(({ name }) => name).sort()).toEqual(['ВИП', 'Раз, два'])
    expect(titles(found.filter(({ idStage }) => idStage === funnel.stages[0]))).toEqual(['Была', 'Вторая', 'Третья'])
    const [second, third] = ['Вторая', 'Третья'].map((title) => found.find((one) => one.title === title))
    expect(second).toMatchObject({ price: 1234.5, company: { id: first?.company?.id }, contacts: [{ fio: 'Олег' }] })
    expect(second?.responsible.map(({ user }) => user.surname)).toEqual(['Петров'])
    expect(third?.price).toBe(2_000_000)
    expect(third?.responsible.map(({ user }) => user.surname).sort()).toEqual(['Иванова', 'Петров'])
  })

  it('report each invalid cell by its column', async () => {
    const { id: idFunnel } = await open({ canCompleteDealsWithoutOffers: false })
    const head =
      'Название;Этап;Сумма;Ответственный;Источник;Ожидаемая дата;Когда;Телефон;Электронная почта;Причина отказа;Пояснение к отказу'
    const rows: [string, string, string][] = [
      [';;5;;;;;;;;', 'Название', messages.required],
      ['А;Нигде;;;;;;;;;', 'Этап', '«Нигде»: такого этапа нет в воронке'],
      ['А;Успешно;;;;;;;;;', 'Этап', cannotComplete],
      ['А;;1,234;;;;;;;;', 'Сумма', 'Нужно число рублей: 1234,50'],
      ['А;;-5;;;;;;;;', 'Сумма', messages.min(0)],
      ['А;;;Никто;;;;;;;', 'Ответственный', '«Никто»: такого сотрудника нет'],
      ['А;;;Сидоров Иван;;;;;;;', 'Ответственный', '«Сидоров Иван»: таких несколько: укажите электронную почту'],
      ['А;;;;Газета;;;;;;', 'Источник', '«Газета»: такого источника нет'],
      ['А;;;;;31.02.2026;;;;;', 'Ожидаемая дата', 'Дата нужна как ДД.ММ.ГГГГ'],
      ['А;;;;;;завтра;;;;', 'Когда', 'Дата нужна как ДД.ММ.ГГГГ или ДД.ММ.ГГГГ ЧЧ:ММ'],
      ['А;;;;;;;12-34;;;', 'Телефон', messages.phone],
      ['А;;;;;;;;нет;;', 'Электронная почта', messages.email],
      ['А;Отказ;;;;;;;;;почему', 'Причина отказа', 'Укажите причину отказа'],
      ['А;Отказ;;;;;;;;Дорого;', 'Пояснение к отказу', 'Поясните причину отказа'],
      ['А;Отказ;;;;;;;;Дождь;почему', 'Причина отказа', '«Дождь»: такой причины нет'],
    ]
    const preview = good(await files.preview(seller, csv(head, ...rows.map(([row]) => row)), { idFunnel }))
    // A cell that cannot be read is left out with a note; the deal goes in without it.
    const unread = new Set(['1,234', '-5', '31.02.2026', 'завтра', 'нет'])
    const expected = rows.map(([row, field, message]) => {
      const cell = row.split(';').find((text) => unread.has(text))
      return cell ? [field, `${message}. «${cell}» не загружается`, true] : [field, message, false]
    })
    expect(preview.errors.map(({ field, message, note = false }) => [field, message, note])).toEqual(expected)
    expect(preview.wrong).toBe(rows.length - unread.size)
  })

  it('keep the text beside a phone in the description, and read the days of other programs', async () => {
    const { id: idFunnel } = await open()
    const file = csv(
      'Название;Телефон;Контакт;Описание;Ожидаемая дата',
      'А;8 (495) 111-22-37 доб. 5, +7 916 111 22 38;Анна, Олег;Вечером;15.12.26',
      'Б;;;;20261215',
    )
    const preview = good(await files.preview(seller, file, { idFunnel }))
    expect(preview.errors).toMatchObject([
      { row: 1, field: 'Телефон', message: '«Телефон +7 (495) 111-22-37: доб. 5» записано в описание', note: true },
    ])
    expect(await files.end(seller, await files.begin(seller, preview))).toMatchObject({ created: 2, failed: 0 })
    const [first, second] = await dealsOf(idFunnel)
    expect(first).toMatchObject({
      description: '<p>Вечером</p><p>Телефон +7 (495) 111-22-37: доб. 5</p>',
      dateExpected: '2026-12-15',
      contacts: [{ phone: '+74951112237' }, { phone: '+79161112238' }],
    })
    expect(second).toMatchObject({ dateExpected: '2026-12-15', contacts: [] })
  })

  it('show logins in errors only with the right to see logins', async () => {
    const { id: idFunnel } = await open()
    const file = csv('Название;Ответственный', 'А;twin1', 'Б;nobody1')
    const errorsOf = async (who: Caller) =>
      good(await files.preview(who, file, { idFunnel })).errors.map(({ message }: { message: string }) => message)
    const absent = (login: string) => `«${login}»: такого сотрудника нет`
    expect(await errorsOf(clinic.as('anna'))).toEqual([absent('twin1'), absent('nobody1')])
    expect(await errorsOf(seller)).toEqual([absent('nobody1')])
  })

  it('match people by displayed name, and refuse an ambiguous one', async () => {
    const { id: idFunnel } = await open()
    const named = { surname: 'Кузнецова', middleName: 'Семёновна' }
    const { id } = await addPerson(clinic.context, 'kuznetsova', [], { ...named, name: 'Анна' })
    await addPerson(clinic.context, 'petrova1', [], { surname: 'Двойнова', name: 'Ольга', middleName: 'Юрьевна' })
    await addPerson(clinic.context, 'petrova2', [], { surname: 'Двойнова', name: 'Оксана', middleName: 'Юрьевна' })
    const preview = good(
      await files.preview(seller, csv('Название;Ответственный', 'А;Кузнецова А.С.', 'Б;Двойнова О. Ю.'), { idFunnel }),
    )
    expect(preview.errors.map(({ row, message }: { row: number; message: string }) => [row, message])).toEqual([
      [2, '«Двойнова О. Ю.»: таких несколько: укажите электронную почту'],
    ])
    await files.take(seller, csv('Название;Ответственный', 'А;кузнецова а. с.'), { idFunnel })
    const [deal] = await dealsOf(idFunnel)
    expect(deal?.responsible.map(({ idUser }) => idUser)).toEqual([id])
  })

  it('enter any open stage whatever it requires, done if allowed, lost with a reason', async () => {
    const funnel = await open()
    const [, work, , done, lost] = funnel.stages
    await deals(seller).stage(work as number, { requiredFields: ['price', 'utm'] })
    const file = csv(
      'Название;Этап;Причина отказа;Пояснение к отказу',
      'Открыта;В работе;;',
      'Выиграна;успешно;;',
      'Проиграна;Отказ;Дорого;Выбрали другую клинику',
    )
    expect(await files.take(seller, file, { idFunnel: funnel.id })).toMatchObject({ state: 'done', created: 3 })
    const found = await dealsOf(funnel.id)
    expect(Object.fromEntries(found.map((one) => [one.title, one.idStage]))).toEqual({
      Открыта: work,
      Выиграна: done,
      Проиграна: lost,
    })
    const answer = await seller.post(`${S}/leads`, { title: 'Рукой', idStage: work })
    expect(answer.status).toBe(422)
  })

  it('create sources only with the right', async () => {
    const { id: idFunnel } = await open()
    const file = csv('Название;Источник', 'А;Выставка', 'Б;выставка')
    expect(good(await files.preview(seller, file, { idFunnel })).wrong).toBe(2)
    expect(await files.take(seller, file, { idFunnel, createSources: true })).toMatchObject({ created: 2 })
    const made = await deals(seller).list(`sources?filter[name]=${encodeURIComponent('Выставка')}`)
    expect(made).toHaveLength(1)
  })
})

describe('a phone of an open deal', () => {
  /** The last row repeats the phone of the one before, each in another format. */
  async function withOpen(code: string) {
    const funnel = await open()
    const { id } = await deals(seller).deal(funnel.stages[0], { title: 'Открытая' })
    await deals(seller).make('contacts', { idLead: id, phone: `+7 (999) ${code}-11-22` })
    const rows = [`Новая;8 999 ${code} 11 22`, `Другая;+7 999 ${code} 33 44`, `Снова;999${code}3344`]
    return { funnel, id, file: csv('Название;Телефон', ...rows) }
  }

  it('is reported, within the file too, and the row is imported anyway', async () => {
    const { funnel, file } = await withOpen('100')
    const preview = good(await files.preview(seller, file, { idFunnel: funnel.id }))
    expect(preview).toMatchObject({ wrong: 0, skipped: 0 })
    expect(preview.errors).toEqual([
      { row: 1, field: 'Телефон', message: '+7 (999) 100-11-22 уже есть в открытой сделке «Открытая»', note: true },
      { row: 3, field: 'Телефон', message: '+7 (999) 100-33-44 уже есть в открытой сделке «Другая»', note: true },
    ])
    expect(await files.end(seller, await files.begin(seller, preview))).toMatchObject({ created: 3, failed: 0 })
  })

  it('skips its row on request, without an error; a closed deal does not', async () => {
    const { funnel, id, file } = await withOpen('200')
    const params = { idFunnel: funnel.id, skipDuplicates: true }
    const preview = good(await files.preview(seller, file, params))
    expect(preview).toMatchObject({ total: 3, wrong: 0, skipped: 2 })
    const run = await files.end(seller, await files.begin(seller, preview))
    expect(run).toMatchObject({ state: 'done', done: 3, created: 1, failed: 0 })
    expect(titles(await dealsOf(funnel.id)).sort()).toEqual(['Другая', 'Открытая'])
    good(await deals(seller).go(id, funnel.stages[3] as number))
    const again = good(await files.preview(seller, file, params))
    expect(again.errors.map(({ row }) => row)).toEqual([2, 3])
  })
})

describe("the table's export", () => {
  it.each(['csv', 'xlsx'])('can be imported without changes: %s', async (format) => {
    const [from, to] = [await open(), await open()]
    const fields = {
      title: 'Название',
      'contacts.fio': 'Контакт',
      'contacts.phone': 'Телефон',
      'contacts.email': 'Электронная почта',
      idStage: 'Этап',
      price: 'Сумма',
      'responsible.user.fio': 'Ответственный',
      idSource: 'Источник',
      nextStep: 'Следующий шаг',
      dateNextStep: 'Когда',
      'tags.name': 'Метки',
      dateExpected: 'Ожидаемая дата',
      idCompany: 'Компания',
      idLossReason: 'Причина отказа',
      lossNote: 'Пояснение к отказу',
      description: 'Описание',
    }
    const exported = (idFunnel: number, as: string) =>
      seller.get(
        `${S}/leads/export?format=${as}&fields=${Object.keys(fields)}&titles=${encodeURIComponent(String(Object.values(fields)))}&filter[idFunnel]=${idFunnel}&sort=title`,
      )
    await files.take(
      seller,
      csv(
        Object.values(fields).join(';'),
        '=1+1;Смирнова Ольга Игоревна;8 (999) 111-22-33;o@example.ru;В работе;1234,50;anna;Сайт клиники;"Шаг ""раз""";05.12.2026 10:00;"""Раз, два"", Три";15.12.2026;ООО «А, Б»;;;"Две\nстроки"',
        'Двое;"Ольга, Пётр";", 8 999 222 33 44";o2@example.ru;Новая;0;seller;;;;;;;;;',
        'Без имени;;89993334455;;Новая;;seller;;;;;;;;;',
        'Проиграна;;;;Отказ;10;seller;;;;;;;Дорого;Ушли;',
      ),
      { idFunnel: from.id },
    )
    const first = await exported(from.id, 'csv')
    expect(first.text.trim().split('\r\n')).toHaveLength(5)
    const file = format === 'csv' ? first : await exported(from.id, format)
    const preview = good(await files.preview(seller, file.bytes, { idFunnel: to.id }))
    expect(Object.keys(preview.mapping)).toHaveLength(16)
    expect(await files.end(seller, await files.begin(seller, preview))).toMatchObject({ created: 4, failed: 0 })
    expect((await exported(to.id, 'csv')).text).toBe(first.text)
  })
})

describe('an import of deals', () => {
  it('requires the right to edit deals, also while running', async () => {
    const { id: idFunnel } = await open()
    const file = csv('Название', 'А')
    expect((await files.preview(clinic.as('reader'), file, { idFunnel })).status).toBe(403)
    expect((await files.preview(seller, file, {})).status).toBe(422)
    expect((await files.preview(seller, file, { idFunnel: 999_999 })).status).toBe(404)
    const anna = clinic.as('anna')
    const run = await files.begin(anna, good(await files.preview(anna, file, { idFunnel })))
    await clinic.db.query({
      text: `delete from user_permissions p using users u where u."id" = p."idUser" and u."login" = 'anna'`,
      values: [],
    })
    expect(await files.end(anna, run)).toMatchObject({ state: 'failed', created: 0 })
    expect(await dealsOf(idFunnel)).toEqual([])
  })

  it('is undone completely: deals, contacts, and companies that no other record uses', async () => {
    const { id: idFunnel, stages } = await open()
    const file = csv('Название;Контакт;Компания', 'А;Олег;Одна', 'Б;Ольга;Другая')
    const run = await files.take(seller, file, { idFunnel })
    const [a] = await dealsOf(idFunnel)
    const own = await deals(seller).deal(stages[0], { title: 'Своя', idCompany: a?.company?.id })
    expect(await files.revert(seller, run)).toMatchObject({ state: 'reverted', created: 1 })
    expect(titles(await dealsOf(idFunnel))).toEqual(['Своя'])
    expect(await deals(seller).list(`contacts?filter[idLead]=${a?.id}`)).toEqual([])
    const companies: { name: string }[] = await deals(seller).list('companies?limit=100')
    expect(companies.map(({ name }) => name)).toContain('Одна')
    expect(companies.map(({ name }) => name)).not.toContain('Другая')
    expect(own.idCompany).toBe(a?.company?.id)
  })

  it('provides a sample file in which only the example names are unknown', async () => {
    const { id: idFunnel } = await open()
    const template = await seller.get('/imports/template?kind=leads')
    const preview = good(await files.preview(seller, template.bytes, { idFunnel }, 'шаблон.xlsx'))
    expect(Object.keys(preview.mapping)).toHaveLength(16)
    expect(preview.errors.map(({ field }) => field)).toEqual(['Ответственный', 'Источник'])
  })

  it('reads native numbers and dates of a spreadsheet', async () => {
    const { id: idFunnel } = await open()
    const head = ['Название', 'Сумма', 'Телефон', 'Ожидаемая дата'].map((value) => ({ value }))
    const row = [
      { value: 'Из таблицы' },
      { value: 45_000.5, type: Number },
      { value: 89_991_234_500, type: Number },
      { value: new Date('2026-12-15T00:00:00Z'), type: Date, format: 'dd.mm.yyyy' },
    ]
    const made = await writeXlsxFile([head, row] as never)
    const preview = good(await files.preview(seller, await made.toBuffer(), { idFunnel }, 'сделки.xlsx'))
    expect(preview.errors).toEqual([])
    expect(await files.end(seller, await files.begin(seller, preview))).toMatchObject({ created: 1 })
    expect(await dealsOf(idFunnel)).toMatchObject([
      { price: 45_000.5, dateExpected: '2026-12-15', contacts: [{ phone: '+79991234500' }] },
    ])
  })
})
