/** Treatment plans: access, fixed fields, agreement, booking and completion. */

import { plusDays } from '@ordinator/model/zone'
import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'
import { clinic, desk, doctors, keeper, of, openPlansClinic, plan, sms, today, worlds } from './testing/plansClinic.ts'

openPlansClinic()

describe('rights', () => {
  it('a doctor sees own plans, the report right sees all; other plans are not found by any call', async () => {
    const idCustomer = await worlds.patient()
    const mine = await plan({ by: clinic.as('one'), idDoctor: doctors[0] as number, idCustomer })
    const paths = [
      `/customer-plans/${mine.id}`,
      `/customer-plans/stages/${mine.idStage}`,
      `/customer-plans/items/${mine.items[0]}`,
      `/customer-plans/${mine.id}/print`,
      `/customer-plans/${mine.id}/estimate`,
      `/customer-plans/${mine.id}/history`,
    ]
    for (const path of paths) {
      expect((await clinic.as('one').get(path)).status, path).toBe(200)
      expect((await keeper.get(path)).status, path).toBe(200)
      expect((await clinic.as('two').get(path)).status, path).toBe(404)
      expect((await clinic.as('stranger').get(path)).status, path).toBe(403)
    }
    const two = clinic.as('two')
    expect(good(await two.get(`/customer-plans?filter[idCustomer]=${idCustomer}&count=1`))._meta.totalCount).toBe(0)
    expect(good(await two.get(`/customer-plans/items?filter[stage.idPlan]=${mine.id}`)).items).toEqual([])
    expect(good(await two.get('/customer-plans/figures')).offered.count).toBe(0)
    expect((await two.get('/customer-plans/export?format=csv')).text).not.toContain('Курс')
    const thread = async (by: Caller) =>
      good(await by.get(`/customers/${idCustomer}/thread`)).items.filter(
        ({ kind }: { kind: string }) => kind === 'plans',
      )
    expect(await thread(two)).toEqual([])
    expect(await thread(clinic.as('one'))).toMatchObject([{ title: 'Курс' }])
    expect((await two.put(`/customer-plans/${mine.id}`, { name: 'Чужой' })).status).toBe(404)
    expect((await two.post(`/customer-plans/${mine.id}/offer`, {})).status).toBe(404)
  })

  it('the desk of the branch views and agrees, but does not edit; custom prices need a right', async () => {
    const made = await plan({ by: clinic.as('one'), idDoctor: doctors[0] as number })
    const one = clinic.as('one')
    expect((await clinic.as('desk').get(`/customer-plans/${made.id}`)).status).toBe(404)
    const idUser = (
      await clinic.db.query<{ id: number }>({ text: `select "id" from users where "login" = 'desk'`, values: [] })
    )[0]?.id
    good(await keeper.post('/filials/desks', { idFilial: desk.idFilial, idUser }), 201)
    expect((await clinic.as('desk').get(`/customer-plans/${made.id}`)).status).toBe(200)
    expect((await clinic.as('desk').put(`/customer-plans/${made.id}`, { name: 'Нет' })).status).toBe(403)
    const at = `/customer-plans/items/${made.items[0]}`
    expect((await one.put(at, { discount: 10 })).body).toMatchObject([{ field: 'discount' }])
    expect((await one.put(at, { price: 10 })).body).toMatchObject([{ field: 'price' }])
    good(await one.put(at, { qty: 2 }))
    expect((await one.post(`/customer-plans/${made.id}/agree`, {})).status).toBe(403)
    good(await clinic.as('desk').post(`/customer-plans/${made.id}/agree`, {}))
  })

  it('of a restricted card are hidden without a reason', async () => {
    const idCustomer = await worlds.patient()
    const made = await plan({ by: clinic.as('one'), idDoctor: doctors[0] as number, idCustomer })
    good(await keeper.put(`/customers/${idCustomer}`, { secretLevel: 'vip' }))
    for (const by of [clinic.as('one'), keeper])
      expect((await by.get(`/customer-plans/${made.id}`)).body).toMatchObject({ code: 'sealed' })
    good(await clinic.as('one').post(`/customers/${idCustomer}/open`, { reason: 'Приём' }), 204)
    expect((await clinic.as('one').get(`/customer-plans/${made.id}`)).status).toBe(200)
  })
})

describe('a draft', () => {
  it('takes the branch price, adds up to the kopeck and is not agreed without services', async () => {
    const made = await plan({ items: [{ qty: 3, discount: 0.02, price: 333.34 }, { qty: 2 }] })
    expect(await of(made.id)).toMatchObject({ status: 'draft', sum: 3000, agreed: 0, left: 0, stagesCount: 1 })
    expect((await keeper.put(`/customer-plans/items/${made.items[1]}`, { discount: 2000.01 })).body).toMatchObject([
      { field: 'discount' },
    ])
    const empty = await plan({ items: [] })
    expect((await keeper.post(`/customer-plans/${empty.id}/agree`, {})).status).toBe(409)
    good(await keeper.post(`/customer-plans/${made.id}/offer`, {}))
    expect((await of(made.id)).status).toBe('offered')
    good(await keeper.post(`/customer-plans/${made.id}/offer`, { offered: false }))
    expect((await keeper.delete(`/customer-plans/${made.id}`)).status).toBe(204)
  })

  it('is estimated with the discounts of today and their reasons, before and after', async () => {
    const made = await plan({ items: [{ qty: 2 }, { discount: 300 }] })
    const estimate = async () => good(await keeper.get(`/customer-plans/${made.id}/estimate`))
    expect(await estimate()).toMatchObject({ base: 3000, final: 3000, now: 2700 })
    const body = { name: 'Пенсионерам', kind: 'percent', value: 10, filials: [desk.idFilial] }
    const discount = good(await keeper.post('/discounts', body), 201)
    good(await keeper.put(`/discounts/${discount.id}`, { status: 'active' }))
    expect(await estimate()).toMatchObject({
      ...{ base: 3000, final: 2700, now: 2700 },
      lines: [
        { base: 2000, final: 1800, now: 2000, applied: [{ name: 'Пенсионерам', why: '10 %', amount: 200 }] },
        { base: 1000, final: 900, now: 700 },
      ],
    })
    good(await keeper.put(`/discounts/${discount.id}`, { status: 'paused' }))
  })

  it('is printed, and the print is recorded in the journal', async () => {
    const made = await plan({ items: Array.from({ length: 30 }, () => ({ qty: 2 })), plan: { note: 'Натощак' } })
    const pdf = await keeper.get(`/customer-plans/${made.id}/print`)
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
    const lines = good(await keeper.get(`/access-log?idCustomer=${made.idCustomer}&limit=100`)).items
    expect(lines).toContainEqual(expect.objectContaining({ action: 'print', label: 'План лечения', idEntity: made.id }))
  })
})

describe('an agreement', () => {
  it('is refused with a future date or with expired prices', async () => {
    const day = today
    const [made, past] = [await plan(), await plan({ plan: { validTo: plusDays(day, -1) } })]
    const refused = async (id: number, body: object) => (await keeper.post(`/customer-plans/${id}/agree`, body)).body
    expect(await refused(made.id, { signedOn: plusDays(day, 1) })).toEqual([
      { field: 'signedOn', message: 'Этот день ещё не наступил' },
    ])
    expect(await refused(past.id, {})).toEqual([
      { field: 'validTo', message: 'Цены плана действовали раньше: укажите новый срок' },
    ])
    expect((await of(made.id)).status).toBe('draft')
    good(await keeper.post(`/customer-plans/${made.id}/agree`, { signedOn: plusDays(day, -3) }))
    good(await keeper.post(`/customer-plans/${past.id}/agree`, { signedOn: plusDays(day, -2) }))
    expect([(await of(made.id)).status, (await of(past.id)).status]).toEqual(['agreed', 'agreed'])
  })

  it('fixes services and prices; signing a plan that has changed meanwhile is refused', async () => {
    const made = await plan()
    const { _version } = await of(made.id)
    good(await keeper.put(`/customer-plans/items/${made.items[0]}`, { qty: 2 }))
    expect((await keeper.post(`/customer-plans/${made.id}/agree`, { _version })).status).toBe(409)
    good(await keeper.post(`/customer-plans/${made.id}/agree`, {}))
    expect(await of(made.id)).toMatchObject({ status: 'agreed', agreed: 2000, left: 2000, signMethod: 'paper' })
    expect((await keeper.put(`/customer-plans/items/${made.items[0]}`, { qty: 3 })).status).toBe(409)
    expect((await keeper.delete(`/customer-plans/items/${made.items[0]}`)).status).toBe(409)
    expect((await keeper.post('/customer-plans/stages', { idPlan: made.id, name: 'Ещё' })).status).toBe(409)
    expect((await keeper.put(`/customer-plans/stages/${made.idStage}`, { name: 'Иначе' })).status).toBe(409)
    good(await keeper.put(`/customer-plans/stages/${made.idStage}`, { plannedMonth: '2027-03-15' }))
    expect((await keeper.put(`/customer-plans/${made.id}`, { diagnosis: 'Иной' })).body).toMatchObject([
      { field: 'diagnosis' },
    ])
    good(await keeper.put(`/customer-plans/${made.id}`, { validTo: plusDays(today, 200) }))
    expect((await keeper.delete(`/customer-plans/${made.id}`)).status).toBe(409)
    expect(
      (await keeper.post(`/customer-plans`, { ...made, name: 'x', idDoctor: 1, dateAgreed: '2026-01-01' })).status,
    ).toBe(422)
  })

  it('is of one variant: the others are refused, and of two concurrent ones one succeeds', async () => {
    const first = await plan()
    const { plan: second } = good(await keeper.post(`/customer-plans/${first.id}/copy`, {}), 201)
    expect(second).toMatchObject({ idFirst: first.id, variant: 'Вариант Б', sum: 1000, status: 'draft' })
    expect((await of(first.id)).variant).toBe('Вариант А')
    const answers = await Promise.all([first.id, second.id].map((id) => keeper.post(`/customer-plans/${id}/agree`, {})))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const both = await Promise.all([first.id, second.id].map((id) => of(id)))
    expect(both.map(({ status }) => status).sort()).toEqual(['agreed', 'refused'])
    const refused = both.find(({ status }) => status === 'refused')
    expect(refused?.refuseReason).toBe('variant')
    good(await keeper.post(`/customer-plans/${refused?.id}/reopen`, {}))
    expect((await keeper.post(`/customer-plans/${refused?.id}/agree`, {})).status).toBe(409)
  })

  it('is signed by a code for the plan at the time of sending', async () => {
    const { id: idCustomer } = good(
      await keeper.post('/customers', { surname: 'Кодова', name: 'Анна', phone: '+79120000321' }),
      201,
    )
    const made = await plan({ idCustomer })
    const codeOf = () => /Код подписи: (\d+)/.exec(sms.messages.at(-1)?.text ?? '')?.[1] ?? ''
    good(await keeper.post(`/customer-plans/${made.id}/code`, {}))
    const stale = codeOf()
    good(await keeper.put(`/customer-plans/items/${made.items[0]}`, { qty: 5 }))
    expect((await keeper.post(`/customer-plans/${made.id}/confirm`, { code: stale })).body).toMatchObject([
      { field: 'code' },
    ])
    good(await keeper.post(`/customer-plans/${made.id}/code`, {}))
    expect(good(await keeper.get(`/customer-plans/${made.id}/code`)).sent).toMatchObject({ triesLeft: 5 })
    const code = codeOf()
    expect(
      (await keeper.post(`/customer-plans/${made.id}/confirm`, { code: code === '111111' ? '2' : '111111' })).status,
    ).toBe(422)
    good(await keeper.post(`/customer-plans/${made.id}/confirm`, { code }))
    expect(await of(made.id)).toMatchObject({ status: 'agreed', signMethod: 'sms', agreed: 5000 })
  })

  it('of a child is signed by an authorized representative', async () => {
    const { id: idCustomer } = good(
      await keeper.post('/customers', { surname: 'Малых', name: 'Оля', birthday: '01.02.2020', phone: '+79120000322' }),
      201,
    )
    const made = await plan({ idCustomer })
    expect((await keeper.post(`/customer-plans/${made.id}/agree`, {})).body).toMatchObject([{ field: 'idRelation' }])
    const mother = good(
      await keeper.post('/customers/relations', { idCustomer, relation: 'mother', fio: 'Малых Ира', signs: 'yes' }),
      201,
    )
    const other = await plan()
    expect((await keeper.post(`/customer-plans/${other.id}/agree`, { idRelation: mother.id })).body).toMatchObject([
      { field: 'idRelation' },
    ])
    const signed = good(await keeper.post(`/customer-plans/${made.id}/agree`, { idRelation: mother.id }))
    expect(signed.representative).toMatchObject({ fio: 'Малых Ира' })
  })
})
