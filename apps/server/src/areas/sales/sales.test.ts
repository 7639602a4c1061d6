import type { Stage } from '@ordinator/model/areas/sales/funnel'
import type { Lead, LeadResponsible } from '@ordinator/model/areas/sales/lead'
import { cannotComplete } from '@ordinator/model/areas/sales/rules'
import type { FieldError } from '@ordinator/model/check'
import type { Row } from '@ordinator/model/entity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { deals, good } from './testing/deals.ts'

const S = '/sales-management'
let clinic: Clinic
let seller: Caller
let reader: Caller

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'seller', ['editSalesManagement', 'editFunnels', 'viewTasksManagement'])
      await addPerson(app, 'reader', ['viewSalesManagement'])
      await addPerson(app, 'desk', ['viewSalesManagement', 'viewCustomers', 'editCustomers'])
      await addPerson(app, 'nobody')
    },
  })
  seller = clinic.as('seller')
  reader = clinic.as('reader')
})
afterAll(() => clinic.close())

const reasonOf = async () => (await deals(seller).make('loss-reasons', { name: 'Дорого' })).id as number
const idOf = ({ id }: { id: number }) => id

describe('a funnel', () => {
  it('starts with five stages and is last', async () => {
    const one = await deals(seller).funnel()
    const two = await deals(seller).funnel()
    expect(two.order).toBeGreaterThan(one.order)
    const stages = await deals(seller).list(`stages?filter[idFunnel]=${one.id}`)
    expect(stages.map((s: Row<typeof Stage>) => [s.name, s.idType, s.nameType])).toEqual([
      ['Новая', 1, 'В работе'],
      ['В работе', 1, 'В работе'],
      ['Предложение', 1, 'В работе'],
      ['Успешно', 2, 'Успешно'],
      ['Отказ', 3, 'Отказ'],
    ])
  })

  it('is reordered at once, as are its stages', async () => {
    const [one, two] = [await deals(seller).funnel(), await deals(seller).funnel()]
    good(await seller.post(`${S}/funnels/${two.id}/move`, { before: one.id }))
    const funnels = (await deals(seller).list('funnels?limit=100')).map(idOf)
    expect(funnels.indexOf(two.id)).toBe(funnels.indexOf(one.id) - 1)
    const [a, b, c] = one.stages
    good(await seller.post(`${S}/stages/${c}/move`, { before: a }))
    const stages = (await deals(seller).list(`stages?filter[idFunnel]=${one.id}`)).map(idOf)
    expect(stages.slice(0, 3)).toEqual([c, a, b])
  })

  it('requires only fields of a deal and leads only to its own stages', async () => {
    const [one, two] = [await deals(seller).funnel(), await deals(seller).funnel()]
    const [stage] = one.stages
    const refused = async (body: object) => (await seller.put(`${S}/stages/${stage}`, body)).body
    expect(await refused({ requiredFields: ['price', 'nope', 'order'] })).toEqual([
      { field: 'requiredFields', message: 'Нельзя потребовать поле «nope»' },
      { field: 'requiredFields', message: 'Нельзя потребовать поле «order»' },
    ])
    expect(await refused({ nextStages: [two.stages[1]] })).toEqual([
      { field: 'nextStages', message: 'Перейти можно только на этапы этой же воронки' },
    ])
    good(
      await seller.put(`${S}/stages/${stage}`, {
        requiredFields: ['price', 'contacts.phone', 'offers'],
        nextStages: [one.stages[1]],
      }),
    )
  })

  it('with deals cannot be deleted, nor such a stage, nor the last stage of work', async () => {
    const funnel = await deals(seller).funnel()
    const [first, second, third] = funnel.stages
    await deals(seller).deal(second)
    const stage = await seller.delete(`${S}/stages/${second}`)
    expect([stage.status, stage.body.code]).toEqual([409, 'notEmpty'])
    const whole = await seller.delete(`${S}/funnels/${funnel.id}`)
    expect([whole.status, whole.body.message]).toEqual([
      409,
      'В воронке есть сделки (1). Перенесите их в другую воронку',
    ])
    expect((await seller.delete(`${S}/stages/${first}`)).status).toBe(204)
    expect((await seller.delete(`${S}/stages/${third}`)).status).toBe(204)
    const last = await seller.post(`${S}/stages/${second}/archive`, { idStage: funnel.stages[3] })
    expect([last.status, last.body.code]).toEqual([409, 'lastStage'])
    expect((await seller.put(`${S}/stages/${second}`, { idType: 2 })).status).toBe(422)
    expect(await deals(seller).column(second as number)).toHaveLength(1)
  })

  it('archives a stage and moves its deals, in order and with history', async () => {
    const funnel = await deals(seller).funnel()
    const [first, second] = funnel.stages as [number, number]
    const there = (await deals(seller).deal(second)).id
    const ids = []
    for (let i = 0; i < 3; i++) ids.unshift((await deals(seller).deal(first)).id)
    const foreign = (await deals(seller).funnel()).stages[0]
    expect((await seller.post(`${S}/stages/${first}/archive`, { idStage: foreign })).status).toBe(422)
    expect((await reader.post(`${S}/stages/${first}/archive`, { idStage: second })).status).toBe(403)
    expect(good(await seller.post(`${S}/stages/${first}/archive`, { idStage: second }))).toEqual({ moved: 3 })
    expect(await deals(seller).column(second)).toEqual([there, ...ids])
    expect((await seller.get(`${S}/stages/${first}`)).status).toBe(404)
    const [line] = good(await seller.get(`${S}/leads/${ids[0]}/logs`)).items
    expect(line).toMatchObject({ method: 'move', methodAlias: 'Перемещена: Новая → В работе' })
  })

  it('restores a stage with the deals that were not moved since', async () => {
    const funnel = await deals(seller).funnel()
    const [first, second, third] = funnel.stages as [number, number, number]
    const there = (await deals(seller).deal(second)).id
    const ids: number[] = []
    for (let i = 0; i < 4; i++) ids.unshift((await deals(seller).deal(first)).id)
    const facts = async (id: number) => {
      const { order, dateStage, dateClosed } = good(await seller.get(`${S}/leads/${id}`))
      return { order, dateStage, dateClosed }
    }
    const before = await facts(ids[1] as number)
    const [back, stays] = [`${S}/stages/${first}/bring-back`, ids[2] as number]
    expect((await seller.post(back, {})).status).toBe(404)
    good(await seller.post(`${S}/stages/${first}/archive`, { idStage: funnel.stages[3] }))
    good(await deals(seller).go(stays, third))
    good(await seller.put(`${S}/leads/${ids[0]}`, { title: 'Переименована' }))
    expect((await reader.post(back, {})).status).toBe(403)
    expect(good(await seller.post(back, {}))).toEqual({ moved: 3 })
    expect(await deals(seller).column(first)).toEqual(ids.filter((id) => id !== stays))
    expect(await deals(seller).column(third)).toEqual([stays])
    expect(await deals(seller).column(second)).toEqual([there])
    expect(await facts(ids[1] as number)).toEqual(before)
  })
})

describe('a deal', () => {
  it('starts on top of the first stage of the first funnel, with its creator responsible', async () => {
    const funnel = await deals(seller).funnel()
    const [first] = await deals(seller).list('funnels?limit=1')
    good(await seller.post(`${S}/funnels/${funnel.id}/move`, { before: first.id }))
    const [a, b] = [await deals(seller).deal(undefined), await deals(seller).deal(undefined)]
    expect(b).toMatchObject({ idStage: funnel.stages[0], typeStage: 1, idFunnel: funnel.id, dateClosed: null })
    expect(await deals(seller).column(funnel.stages[0] as number)).toEqual([b.id, a.id])
    const people = await deals(seller).list(`responsible?filter[idLead]=${a.id}`)
    expect(people.map((p: Row<typeof LeadResponsible>) => p.idUser)).toEqual([a.idUser])
  })

  it('moved to another stage comes first, by a move and by PUT alike', async () => {
    const { stages } = await deals(seller).funnel()
    const [from, to] = stages as [number, number]
    const below = await deals(seller).deal(to)
    const [a, b, c] = [await deals(seller).deal(from), await deals(seller).deal(from), await deals(seller).deal(from)]
    const moved = good(await deals(seller).go(a.id, to))
    expect(moved.dateStage > a.dateStage).toBe(true)
    good(await seller.post(`${S}/leads/${b.id}/move`, { to: { idStage: to } }))
    good(await seller.post(`${S}/leads/${c.id}/move`, { after: below.id, to: { idStage: to } }))
    expect(await deals(seller).column(to)).toEqual([b.id, a.id, below.id, c.id])
  })

  it("follows the transitions and shows the stage's requirements", async () => {
    const { stages } = await deals(seller).funnel()
    const [a, b, c] = stages as [number, number, number]
    await deals(seller).stage(a, { nextStages: [b] })
    await deals(seller).stage(b, {
      requiredFields: ['price', 'idSource', 'contacts.phone', 'contacts.email', 'offers'],
    })
    const deal = await deals(seller).deal(a)
    const far = await deals(seller).go(deal.id, c)
    expect([far.status, far.body]).toEqual([
      422,
      [{ field: 'idStage', message: 'С этапа «Новая» нельзя перейти на этап «Предложение»' }],
    ])
    await deals(seller).make('contacts', { idLead: deal.id, name: 'Анна', email: 'a@b.ru' })
    const poor = await seller.post(`${S}/leads/${deal.id}/move`, { to: { idStage: b } })
    expect(poor.status).toBe(422)
    expect(poor.body.map((e: FieldError) => e.field)).toEqual(['price', 'idSource', 'contacts.phone', 'offers'])
    expect(poor.body[0].message).toBe('Заполните, чтобы перейти на этап: Сумма')
    await deals(seller).make('contacts', { idLead: deal.id, phone: '8 (999) 000-11-22' })
    await deals(seller).make('offers', { idLead: deal.id, name: 'Курс' })
    const source = await deals(seller).make('sources', { name: 'Сайт' })
    good(await deals(seller).go(deal.id, b, { price: 0, idSource: source.id }))
    // Back is always allowed.
    good(await deals(seller).go(deal.id, a))
  })

  it('is not completed too early, and stays in place', async () => {
    const funnel = await deals(seller).funnel({
      canCompleteDealsWithoutOffers: false,
      canCompleteDealsInWorkOfferStatus: false,
    })
    const [first, , , done] = funnel.stages as number[]
    const deal = await deals(seller).deal(first)
    expect(deal.canComplete).toBe(false)
    const refused = async () => {
      for (const answer of [
        await deals(seller).go(deal.id, done as number),
        await seller.post(`${S}/leads/${deal.id}/move`, { to: { idStage: done } }),
      ]) {
        expect([answer.status, answer.body.code, answer.body.message]).toEqual([
          409,
          'cannotComplete',
          'Сделка не может быть завершена',
        ])
      }
      expect(await deals(seller).column(first as number)).toEqual([deal.id])
    }
    expect(cannotComplete).toBe('Сделка не может быть завершена')
    await refused()
    const offer = await deals(seller).make('offers', { idLead: deal.id, name: 'Курс' })
    await refused()
    const idService = (
      await clinic.db.one<{ id: number }>({
        text: `insert into services ("nameService", "userCreate", "userChange") select 'Приём', min(id), min(id) from users returning id`,
      })
    )?.id
    await deals(seller).make('offer-services', { idOffer: offer.id, idService, price: 100, idStatus: 1 })
    const won = good(await deals(seller).go(deal.id, done as number))
    expect(won).toMatchObject({ typeStage: 2, canComplete: true })
    expect(won.dateClosed).not.toBeNull()
    expect(good(await deals(seller).go(deal.id, first as number)).dateClosed).toBeNull()
    const early = await seller.post(`${S}/leads`, { title: 'Сразу', idStage: done })
    expect([early.status, early.body.code]).toEqual([409, 'cannotComplete'])
  })

  it('is lost with a reason and a note, and loses them when reopened', async () => {
    const { stages } = await deals(seller).funnel()
    const [first, , , , loss] = stages as [number, number, number, number, number]
    const below = (await deals(seller).deal(loss, { idLossReason: await reasonOf(), lossNote: 'нет' })).id
    const deal = await deals(seller).deal(first)
    const bare = await deals(seller).go(deal.id, loss, { lossNote: '  ' })
    expect([bare.status, bare.body]).toEqual([
      422,
      [
        { field: 'idLossReason', message: 'Укажите причину отказа' },
        { field: 'lossNote', message: 'Поясните причину отказа' },
      ],
    ])
    const lost = good(await deals(seller).go(deal.id, loss, { idLossReason: await reasonOf(), lossNote: 'Далеко' }))
    expect(lost.dateClosed).not.toBeNull()
    expect(await deals(seller).column(loss)).toEqual([deal.id, below])
    expect((await seller.put(`${S}/leads/${deal.id}`, { lossNote: null })).status).toBe(422)
    const [line] = good(await seller.get(`${S}/leads/${deal.id}/logs`)).items
    expect(line.methodAlias).toBe('Перемещена: Новая → Отказ (причина: Дорого)')
    const back = good(await deals(seller).go(deal.id, first))
    expect(back).toMatchObject({ idLossReason: null, lossNote: null, dateClosed: null })
  })

  it('won without a price notifies the responsible, by whatever call it is moved', async () => {
    const { stages } = await deals(seller).funnel()
    const [first, , , done] = stages as [number, number, number, number]
    const notified = async () => {
      const { items } = good(await reader.get('/notifications?filter[kind]=lead.wonEmpty&limit=100'))
      return items.map((one: { idEntity: number }) => one.idEntity)
    }
    const [{ id: idUser }] = good(await seller.get('/users?filter[surname]=reader')).items
    for (const price of [undefined, 500]) {
      const deal = await deals(seller).deal(first, { price })
      good(await seller.post(`${S}/responsible`, { idLead: deal.id, idUser }), 201)
      good(await deals(seller).go(deal.id, done))
      expect((await notified()).includes(deal.id)).toBe(price === undefined)
    }
  })

  it('follows its stage when the stage changes its type, and is restored when the stage was deleted', async () => {
    const { stages } = await deals(seller).funnel()
    const [first, second] = stages as [number, number]
    const deal = await deals(seller).deal(second)
    await deals(seller).stage(second, { idType: 2 })
    expect(good(await seller.get(`${S}/leads/${deal.id}`)).dateClosed).not.toBeNull()
    await deals(seller).stage(second, { idType: 1 })
    expect(good(await seller.get(`${S}/leads/${deal.id}`)).dateClosed).toBeNull()
    await seller.delete(`${S}/leads/${deal.id}`)
    expect((await seller.delete(`${S}/stages/${second}`)).status).toBe(204)
    expect(good(await seller.post(`${S}/leads/${deal.id}/restore`)).idStage).toBe(first)
  })

  it('requires editSalesManagement for writes', async () => {
    const { id, stages } = await deals(seller).funnel()
    const deal = await deals(seller).deal(stages[0])
    expect(good(await reader.get(`${S}/leads/${deal.id}`)).isEditable).toBe(false)
    const statuses = [
      await reader.put(`${S}/leads/${deal.id}`, { title: 'x' }),
      await reader.post(`${S}/leads`, { title: 'x' }),
      await reader.post(`${S}/leads/${deal.id}/move`, { at: 'first' }),
      await reader.delete(`${S}/leads/${deal.id}`),
    ].map((answer) => answer.status)
    expect(statuses).toEqual([403, 403, 403, 403])
    const nobody = clinic.as('nobody')
    for (const path of [
      `leads/${deal.id}/logs`,
      `leads/${deal.id}/analytics`,
      `funnels/${id}/totals`,
      `funnels/${id}/analytics`,
      'contacts/duplicates?phone=89990001122',
      'lead-visits',
    ]) {
      expect((await nobody.get(`${S}/${path}`)).status, path).toBe(403)
      expect((await reader.get(`${S}/${path}`)).status, path).toBe(200)
    }
  })
})

it('the log describes the deal and its parts, newest first, in pages', async () => {
  const { stages } = await deals(seller).funnel()
  const deal = await deals(seller).deal(stages[0], { price: 100 })
  good(await seller.put(`${S}/leads/${deal.id}`, { price: 1234.5, nextStep: 'Позвонить' }))
  const contact = await deals(seller).make('contacts', { idLead: deal.id, surname: 'Иванова', name: 'Анна' })
  good(await seller.put(`${S}/contacts/${contact.id}`, { city: 'Тверь' }))
  await deals(seller).make('lead-comments', { idLead: deal.id, message: '<p>Тест</p>' })
  const tag = await deals(seller).make('tags', { idLead: deal.id, name: 'VIP' })
  await seller.delete(`${S}/tags/${tag.id}`)
  good(await deals(seller).go(deal.id, stages[1] as number))
  const { items, _meta } = good(await reader.get(`${S}/leads/${deal.id}/logs?limit=50`))
  expect(
    items.map((line: { method: string; methodAlias: string }) => [
      line.method,
      line.methodAlias.replaceAll('\u00a0', ' '),
    ]),
  ).toEqual([
    ['move', 'Перемещена: Новая → В работе'],
    ['tag.delete', 'Снята метка: VIP'],
    ['tag.create', 'Добавлена метка: VIP'],
    ['comment.create', 'Добавлен комментарий'],
    ['contact.update', 'Изменён контакт: Иванова Анна (Город: (не задано) → Тверь)'],
    ['contact.create', 'Добавлен контакт: Иванова Анна'],
    ['update', 'Изменена цена: 100,00 ₽ → 1 234,50 ₽; Изменён следующий шаг: (не задано) → Позвонить'],
    ['responsible.create', 'Назначен ответственный: seller Тест'],
    ['create', 'Создана'],
  ])
  expect(items[0]).toMatchObject({ idLead: deal.id, idUser: deal.idUser, data: { action: 'update' } })
  expect(items[0].user.fio).toBe('seller Тест')
  expect(_meta).toMatchObject({ currentPage: 1, hasMore: false })
  const second = good(await reader.get(`${S}/leads/${deal.id}/logs?limit=2&page=2`))
  expect(second.items.map(idOf)).toEqual(items.slice(2, 4).map(idOf))
  expect((await reader.get(`${S}/leads/${deal.id}/logs?limit=abc`)).status).toBe(400)
  // The same with the deal itself (spec §3), also of many deals; and its counters.
  const one = good(await reader.get(`${S}/leads/${deal.id}?expand=logs,contacts`))
  expect(one).toMatchObject({ logs: items, contacts: [{ id: contact.id }], historyTotalCount: items.length })
  const listed = good(await reader.get(`${S}/leads?filter[id]=${deal.id}&fields=logs&expand=logs`))
  expect(listed.items).toEqual([{ id: deal.id, _version: one._version, logs: items }])
  expect((await reader.get(`${S}/leads?expand=logs&limit=51`)).status).toBe(400)
})

it('the board counts and sums under the filters of its list', async () => {
  const { id, stages } = await deals(seller).funnel()
  const [a, b] = stages as [number, number]
  await deals(seller).deal(a, { price: 0.1, title: 'Чистка' })
  await deals(seller).deal(a, { price: 0.2 })
  await deals(seller).deal(b, { price: 999_999_999_999 })
  const gone = await deals(seller).deal(b, { price: 5 })
  await seller.delete(`${S}/leads/${gone.id}`)
  const answer = await reader.get(`${S}/funnels/${id}/totals`)
  expect(answer.text).toContain(`{"idStage" : ${a}, "count" : 2, "sum" : 0.30}`)
  expect(answer.text).toContain('"sum" : 999999999999.30')
  expect(good(answer)).toMatchObject({ count: 3, items: [{ count: 2 }, { count: 1 }, { count: 0, sum: 0 }, {}, {}] })
  const some = good(await reader.get(`${S}/funnels/${id}/totals?filter[title][ilike]=чистка&sort=order&limit=5`))
  expect(some).toMatchObject({ count: 1, sum: 0.1 })
  expect((await reader.get(`${S}/funnels/${id}/totals?filter[nope]=1`)).status).toBe(400)
  expect((await reader.get(`${S}/funnels/999999/totals`)).status).toBe(404)
})

it('duplicates are found by a phone in any format and by e-mail; customers only with the right', async () => {
  const { stages } = await deals(seller).funnel()
  const [open, , , done] = stages as number[]
  const deal = await deals(seller).deal(open, { title: 'Открытая' })
  await deals(seller).make('contacts', {
    idLead: deal.id,
    name: 'Анна',
    phone: '+7 912 345-67-01',
    email: 'Anna@Mail.ru',
  })
  const closed = await deals(seller).deal(done)
  await deals(seller).make('contacts', { idLead: closed.id, phone: '+79123456701' })
  const mother = good(
    await clinic.as('desk').post('/customers', { surname: 'Петров', phoneMother: '+79123456701' }),
    201,
  )
  const find = async (who: Caller, query: string) => {
    const { leads, customers } = good(await who.get(`${S}/contacts/duplicates?${query}`))
    return [leads.map((l: Row<typeof Lead>) => l.title), customers.map(idOf)]
  }
  for (const phone of ['89123456701', '9123456701', '8 (912) 345-67-01', '+7 912 345 67 01'])
    expect(await find(clinic.as('desk'), `phone=${encodeURIComponent(phone)}`), phone).toEqual([
      ['Открытая'],
      [mother.id],
    ])
  expect(await find(reader, 'phone=89123456701')).toEqual([['Открытая'], []])
  expect(await find(reader, 'email=anna@mail.ru')).toEqual([['Открытая'], []])
  expect(await find(reader, 'email=nna@mail.ru')).toEqual([[], []])
  expect(await find(reader, `phone=89123456701&idLead=${deal.id}`)).toEqual([[], []])
  expect(await find(reader, 'phone=12345')).toEqual([[], []])
  await clinic.context.journal.settle()
  const seen = await clinic.db.one<{ n: number }>({
    text: 'select count(*)::int as n from access_log where "idCustomer" = $1 and action = \'view\'',
    values: [mother.id],
  })
  expect(seen?.n).toBe(4)
})
