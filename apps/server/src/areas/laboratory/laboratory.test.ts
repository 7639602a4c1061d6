/** An order from the desk to the issued result, with device messages on the way. */

import { Organization } from '@ordinator/model/areas/filials/organization'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { addPerson } from '#testing/people.ts'
import { reconcileDevices } from './deviceLines.ts'
import { resultOf } from './testing/laboratory.ts'
import {
  approve,
  cellOf,
  clinic,
  correct,
  doctor,
  enter,
  ids,
  itemOf,
  lab,
  linesOf,
  made,
  measured,
  message,
  noticesOf,
  nurse,
  open,
  openLaboratory,
  scan,
  taken,
  transmit,
  valuesOf,
} from './testing/openLaboratory.ts'

openLaboratory()

const tests = () => [ids.testCHOL, ids.testHDL, ids.testLDL]
const order = (more: object = {}) => made.order(more)

const statusOf = (id: number) => made.statusOf(id)

describe('an order', () => {
  it('shows price, deadline and tubes before payment', async () => {
    const quote = good(await lab.post('/laboratory/orders/quote', { tests: tests(), idFilial: ids.filial }))
    expect([quote.base, quote.total, quote.why]).toEqual([600, 600, []])
    expect(quote.tubes).toHaveLength(1)
    expect(quote.lines).toHaveLength(3)
  })

  it('is created once per key, with coupon lines and bar-coded tubes', async () => {
    const made = await order({ key: 'same-order' })
    expect((await order({ key: 'same-order' })).id).toBe(made.id)
    expect(made).toMatchObject({ status: 'placed', sum: 600, paidStatus: 'unpaid', tubes: 1 })
    const { samples } = await linesOf(made.id)
    expect(samples[0].barcode).toMatch(/^\d{10}$/)
    const labels = await lab.get(`/laboratory/orders/${made.id}/labels`)
    expect([labels.status, labels.bytes.subarray(0, 4).toString()]).toEqual([200, '%PDF'])
    expect(good(await lab.get(`/laboratory/orders/${made.id}/zpl`)).zpl).toContain(`^FD${samples[0].barcode}^FS`)
  })

  it('is paid by a laboratory programme, which is a membership of its tests', async () => {
    const system = clinic.context.engine.for(systemActor)
    const { id: idOrganization } = await system.create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })
    const rights = ['mainSettings', 'takePayments', 'viewCashDesk', 'viewAllCashDesks', 'editMembershipTypes'] as const
    await addPerson(clinic.context, 'cashier', [...rights, 'viewCustomers', 'viewMemberships', 'viewServices'])
    const cashier = clinic.as('cashier')
    const post = async (path: string, body: object) => {
      const { status, body: answer } = await cashier.post(path, body)
      expect([200, 201], JSON.stringify(answer)).toContain(status)
      return answer
    }
    const desk = await post('/cash-desks', {
      ...{ name: 'Касса', idFilial: ids.filial, idOrganization, kktMode: 'none', terminalMode: 'none' },
    })
    await post('/cash-shifts/open', { key: 'programme-shift', idDesk: desk.id })
    const type = await post('/membership-types', { nameType: 'Контроль липидов', price: 900, days: 365 })
    for (const test of [ids.testCHOL, ids.testHDL]) {
      const { idService } = good(await lab.get(`/laboratory/catalog/${test}`))
      await post('/membership-types/items', { idType: type.id, idService, qty: 2 })
    }
    const idCustomer = (await made.post('customers', { surname: 'Программина', name: 'Ия', birthday: '01.02.1980' })).id
    const { idMembership } = await post('/payments/take', {
      ...{ key: 'programme-sale', idDesk: desk.id, idCustomer, parts: [{ method: 'cash', sum: 900 }] },
      membership: { idType: type.id },
    })
    const countsOf = async () => {
      const { used, reserved, rest } = good(await cashier.get(`/memberships/${idMembership}`))
      return [used, reserved, rest]
    }
    // What is not in the programme is paid as ever.
    const placed = await order({ idCustomer, tests: tests() })
    expect([placed.sum, await countsOf()]).toEqual([100 + 270 + 180, [0, 2, 2]])
    expect(placed.paidStatus).not.toBe('paid')
    good(await lab.post(`/laboratory/orders/${placed.id}/cancel`, { reason: 'patient' }))
    expect(await countsOf()).toEqual([0, 0, 4])
  })

  it('goes from the draw to the signed result, each step by its right', async () => {
    const { id, items } = await taken()
    expect(await statusOf(id)).toBe('taken')
    const values = [
      { idItem: itemOf(items, 'CHOL'), idAnalyte: ids.CHOL, value: '6.2' },
      { idItem: itemOf(items, 'HDL'), idAnalyte: ids.HDL, value: '1.2' },
    ]
    expect((await nurse.post('/laboratory/results/enter', { values })).status).toBe(403)
    good(await lab.post('/laboratory/results/enter', { values }))
    const shown = (await linesOf(id)).items.flatMap((item: { values: unknown[] }) => item.values) as {
      id: number
      name: string
      value: string
      flag: string
    }[]
    expect(shown.map(({ name, value, flag }) => [name, value, flag])).toEqual([
      ['CHOL', '6.2', 'H'],
      ['HDL', '1.2', 'N'],
      ['LDL', '5.00', 'N'],
    ])
    // Until a doctor has approved them, values are hidden outside the laboratory, also on paper.
    const lines = good(await nurse.get(`/laboratory/orders/${id}/lines`))
    expect(lines.items.every((item: { values: unknown[] }) => item.values.length === 0)).toBe(true)
    expect((await nurse.get(`/laboratory/orders/${id}/paper?kind=result`)).status).toBe(409)
    const all = shown.map((one) => one.id)
    expect((await lab.post('/laboratory/results/medical', { ids: all })).status).toBe(409)
    good(await lab.post('/laboratory/results/technical', { ids: all }))
    good(await lab.post('/laboratory/results/medical', { ids: all }))
    expect(await statusOf(id)).toBe('done')
    expect((await nurse.get(`/laboratory/orders/${id}/paper?kind=result`)).status).toBe(200)
    // Who takes orders sees what is ordered, its price and that it is ready, but no value.
    const { operator } = made
    const shownOrder = good(await operator.get(`/laboratory/orders/${id}`))
    expect(shownOrder).toMatchObject({ status: 'done', sum: 600, isCritical: false })
    const bare = good(await operator.get(`/laboratory/orders/${id}/lines`))
    expect([bare.seesValues, bare.items.flatMap(({ values }: { values: unknown[] }) => values)]).toEqual([false, []])
    expect(bare.items.map(({ status }: { status: string }) => status)).toEqual(['done', 'done', 'done'])
    for (const path of [
      `orders/${id}/paper?kind=result`,
      `orders/${id}/partner-paper`,
      `customers/${ids.customer}/results`,
      `results/history?idCustomer=${ids.customer}&idAnalyte=${ids.CHOL}`,
      'results/criticals',
      'results',
    ])
      expect((await operator.get(`/laboratory/${path}`)).status, path).toBe(403)
    good(await operator.get(`/laboratory/orders/${id}/paper?kind=order`), 200)
    const fixed = good(await lab.post(`/laboratory/results/${all[0]}/correct`, { value: '4.2', reason: 'Опечатка' }))
    const after = (await linesOf(id)).items[0].values[0]
    expect(after).toMatchObject({ id: fixed.id, value: '4.2', former: '6.2', status: 'corrected' })
    expect((await lab.post(`/laboratory/orders/${id}/issue`, { by: 'email' })).body.code).toBe('consent')
    good(await lab.post(`/laboratory/orders/${id}/issue`, { by: 'paper' }))
    expect(await statusOf(id)).toBe('issued')
    expect((await lab.post(`/laboratory/orders/${id}/cancel`, { reason: 'patient' })).status).toBe(409)
  })

  it('requires a call before a critical value is issued, and shows it on every page until then', async () => {
    const waits = async () => good(await lab.get('/common/badges')).labResults ?? 0
    const before = await waits()
    const { id: idDoctor } = good(await nurse.post('/common/get-account', {})).user.identity
    const { id, items } = await made.taken({ idDoctor })
    good(
      await lab.post('/laboratory/results/enter', {
        values: [{ idItem: itemOf(items, 'CHOL'), idAnalyte: ids.CHOL, value: '12' }],
      }),
    )
    const [value] = (await linesOf(id)).items[0].values
    expect(value).toMatchObject({ flag: 'HH', needsCall: true })
    expect(await waits()).toBe(before + 1)
    const notices = good(await nurse.get('/notifications?filter[kind]=laboratory.critical')).items
    expect(notices.map((one: { idEntity: number }) => one.idEntity)).toEqual([id])
    // A notice may be sent by mail: it does not contain the value.
    expect(notices[0].text).not.toContain('12')
    good(await lab.post('/laboratory/results/technical', { ids: [value.id] }))
    expect((await lab.post('/laboratory/results/medical', { ids: [value.id] })).status).toBe(409)
    expect(good(await lab.get('/laboratory/results/criticals')).items.map((one: { id: number }) => one.id)).toContain(
      value.id,
    )
    good(
      await lab.post(`/laboratory/results/${value.id}/critical`, {
        to: 'Врач',
        at: new Date().toISOString(),
        readBack: true,
      }),
    )
    expect(await waits()).toBe(before)
    good(await lab.post('/laboratory/results/medical', { ids: [value.id] }))
  })

  it('gets another tube when one is refused, and costs nothing when cancelled', async () => {
    const { id, barcode } = await taken()
    expect((await scan(barcode, 'reject')).text).toContain('reason')
    good(await scan(barcode, 'reject', { reason: 'clot' }))
    expect(await statusOf(id)).toBe('rejected')
    const { samples } = await linesOf(id)
    const again = samples.find((one: { status: string }) => one.status === 'planned')
    good(await scan(again.barcode, 'take'))
    expect(await statusOf(id)).toBe('taken')
    expect((await scan(barcode, 'take')).status).toBe(409)
    good(await lab.post(`/laboratory/orders/${id}/cancel`, { reason: 'patient' }))
    expect(good(await lab.get(`/laboratory/orders/${id}`))).toMatchObject({ status: 'cancelled', sum: 0 })
  })
})

describe('a device', () => {
  it('is acknowledged after the commit, and a repeat creates no second value', async () => {
    await reconcileDevices(clinic.context)
    const { id, barcode } = await taken()
    const text = resultOf(barcode, '4.40')
    expect(await transmit(text)).toEqual([6, 6])
    expect((await linesOf(id)).items[0].values).toMatchObject([{ value: '4.40', flag: 'N' }])
    await transmit(text)
    const kept = await clinic.db.query<{ n: number }>(sql`select count(*)::int as n from laboratory_results r
      join laboratory_order_items i on i."id" = r."idItem" where i."idOrder" = ${id} and r."idAnalyte" = ${ids.CHOL}`)
    expect(kept[0]?.n).toBe(1)
    const log = good(await lab.get(`/laboratory/devices/${ids.device}/log`))
    expect(log.items.map((one: { state: string }) => one.state).slice(0, 2)).toEqual(['repeat', 'done'])
  })

  it('keeps both when the same tube gets another value: a person chooses', async () => {
    const { id, barcode } = await taken()
    await transmit(resultOf(barcode, '4.1'))
    await transmit(resultOf(barcode, '4.9', 'mmol/l', '798/', '20260102'))
    const matrix = good(await lab.get(`/laboratory/results/matrix?idOrder=${id}`))
    const cell = matrix.rows[0].cells[String(ids.CHOL)]
    expect([cell.value, cell.others.map((one: { value: string }) => one.value)]).toEqual(['4.1', ['4.9']])
    expect((await lab.post('/laboratory/results/technical', { ids: [cell.idResult] })).status).toBe(409)
    good(await lab.post(`/laboratory/results/${cell.others[0].id}/choose`))
    expect((await linesOf(id)).items[0].values[0].value).toBe('4.9')
  })

  it('guesses nothing: another unit, an unknown code and tube are listed, and parsed again later', async () => {
    const { id, barcode } = await taken()
    await transmit(resultOf(barcode, '180', 'mg/dl'))
    await transmit(resultOf('9999999999', '4.2'))
    await transmit(resultOf(barcode, '1.1', 'mmol/l', '454/'))
    const strays = good(
      await lab.get('/laboratory/strays?filter[status]=open&filter[reason][nin]=unfinished&sort=id'),
    ).items
    expect(strays.map((one: { reason: string }) => one.reason)).toEqual(['unit', 'tube', 'code'])
    good(
      await lab.post('/laboratory/device-codes', {
        idDevice: ids.device,
        code: '454/',
        idAnalyte: ids.HDL,
        unit: 'mmol/l',
      }),
      201,
    )
    const reread = good(await lab.post(`/laboratory/log/${strays[2].idMessage}/reread`))
    expect(reread).toEqual({ results: 1, strays: 0 })
    expect((await linesOf(id)).items[1].values[0].value).toBe('1.1')
  })

  it('is held by a failed control until one passes', async () => {
    const control = good(
      await lab.post('/laboratory/controls', {
        name: 'К',
        lot: '1',
        idDevice: ids.device,
        idAnalyte: ids.CHOL,
        mean: 5,
        sd: 0.1,
      }),
      201,
    )
    const run = (value: string) => lab.post('/laboratory/control-runs', { idControl: control.id, value })
    expect(good(await run('5.6'), 201)).toMatchObject({ rejected: true, broken: ['1-3s'] })
    const { id, barcode } = await taken()
    await transmit(resultOf(barcode, '4.4', 'mmol/l', '798/', '20260103'))
    const [value] = (await linesOf(id)).items[0].values
    good(await lab.post('/laboratory/results/technical', { ids: [value.id] }))
    expect((await lab.post('/laboratory/results/medical', { ids: [value.id] })).body.message).toMatch(
      /контроль качества/,
    )
    good(await run('5.02'), 201)
    good(await lab.post('/laboratory/results/medical', { ids: [value.id] }))
  })
})

it('asks for a call and rings, by whichever way a value becomes critical', async () => {
  const { post } = made
  const idDoctor = await doctor()
  const ordered = (more: object = {}) => made.taken({ idDoctor, ...more })
  const card = async (gender: string) => (await post('customers', { surname: 'Опасный', gender })).id as number
  const rejudged = () => clinic.context.jobs.run('laboratory.rejudge')
  const normOf = (more: object) => post('laboratory/norms', { idAnalyte: ids.CHOL, criticalHigh: 4, ...more })
  const ways: Record<string, () => Promise<number>> = {
    async device() {
      const { id, barcode } = await ordered()
      await transmit(message(measured(barcode, '12.1')))
      return id
    },
    async hand() {
      const { id, items } = await ordered()
      await enter(items, { CHOL: '12.2' })
      return id
    },
    async choice() {
      const { id, barcode } = await ordered()
      await transmit(message(measured(barcode, '4.2')))
      await transmit(message(measured(barcode, '12.3')))
      good(await lab.post(`/laboratory/results/${(await cellOf(id)).others[0].id}/choose`))
      return id
    },
    async attached() {
      const { id, barcode } = await ordered()
      good(await scan(barcode, 'reject', { reason: 'hemolysis' }))
      await transmit(message(measured(barcode, '12.4')))
      const fresh = (await linesOf(id)).samples.find((one: { status: string }) => one.status === 'planned').barcode
      good(await scan(fresh, 'take'))
      const body = { barcode: fresh, idAnalyte: ids.CHOL, reason: 'Та же кровь' }
      good(await lab.post(`/laboratory/strays/${(await open()).at(-1)?.id}/settle`, body))
      return id
    },
    async corrected() {
      const { id, items } = await ordered()
      await enter(items, { CHOL: '4.4' })
      good(await approve(id))
      good(await correct((await cellOf(id)).idResult, '12.5'))
      return id
    },
    // LDL is CHOL − HDL: its source is corrected, and only LDL becomes critical.
    async recalculated() {
      const norm = await post('laboratory/norms', { idAnalyte: ids.LDL, sex: 'female', criticalHigh: 4 })
      const { id, items } = await ordered({ idCustomer: await card('female') })
      await enter(items, { CHOL: '5.4', HDL: '2.4' })
      good(await approve(id))
      good(await correct((await cellOf(id)).idResult, '7.4'))
      good(await lab.delete(`/laboratory/norms/${norm.id}`), 204)
      return id
    },
    async norm() {
      const { id, items } = await ordered({ idCustomer: await card('female') })
      await enter(items, { CHOL: '4.4' })
      const norm = await normOf({ sex: 'female' })
      await rejudged()
      good(await lab.delete(`/laboratory/norms/${norm.id}`), 204)
      return id
    },
    async sex() {
      const idCustomer = await card('male')
      const norm = await normOf({ sex: 'female' })
      const { id, items } = await ordered({ idCustomer })
      await enter(items, { CHOL: '4.5' })
      good(await lab.put(`/customers/${idCustomer}`, { gender: 'female' }))
      await rejudged()
      good(await lab.delete(`/laboratory/norms/${norm.id}`), 204)
      return id
    },
    // Said with the order.
    async menopause() {
      const norm = await normOf({ sex: 'female', cyclePhase: 'menopause' })
      const { id, items } = await ordered({ idCustomer: await card('female'), menopause: true })
      await enter(items, { CHOL: '4.6' })
      good(await lab.delete(`/laboratory/norms/${norm.id}`), 204)
      return id
    },
  }
  for (const [way, come] of Object.entries(ways)) {
    const id = await come()
    const due = good(await lab.get('/laboratory/results/criticals')).items
    const own = due.filter((one: { idOrder: number }) => one.idOrder === id)
    expect([way, own.length, own[0]?.flag]).toEqual([way, 1, 'HH'])
    expect([way, (await noticesOf(id, 'laboratory.critical')).length]).toEqual([way, 1])
    good(await lab.post(`/laboratory/results/${own[0].id}/critical`, { to: 'Врач', at: new Date(), readBack: true }))
  }
})

describe('tubes', () => {
  it('are as many as the volume needs, each at its own place', async () => {
    const { post } = made
    const service = await post('services', { nameService: 'Большой анализ', priceService: 500 })
    const large = await post('laboratory/catalog', {
      ...{ name: 'LARGE', code: 'LARGE', idLaboratory: ids.own, idContainer: ids.yellow, minVolume: 5 },
      idService: service.id,
    })
    await post('laboratory/components', { idTest: large.id, idAnalyte: ids.CHOL })
    const wanted = [large.id, ids.testCHOL]
    const quote = good(await lab.post('/laboratory/orders/quote', { tests: wanted, idFilial: ids.filial }))
    expect(quote.tubes.map(({ volume }: { volume: number }) => volume)).toEqual([0.5, 2, 2, 1])
    expect(quote.lines.map(({ covered }: { covered: string | null }) => covered)).toEqual([null, 'LARGE'])
    const { id } = await made.order({ tests: wanted })
    const { samples } = await linesOf(id)
    for (const { barcode } of samples) good(await scan(barcode, 'take'))
    // One measurement, of any of its tubes, fills both lines.
    await transmit(message(measured(samples[2].barcode, '4.7')))
    expect((await valuesOf(id)).map(({ value }) => value)).toEqual(['4.7', '4.7'])
    good(await approve(id))
    expect(await statusOf(id)).toBe('done')
    const archive = (at: number, place: string) => scan(samples[at].barcode, 'archive', { rack: 'A', place })
    good(await archive(2, '1'))
    good(await scan(samples[1].barcode, 'receive'))
    expect((await archive(1, '1')).body.message).toMatch(/Место занято/)
    good(await archive(1, '2'))
  })
})
