/** An order from the desk to the issued result, with device messages on the way. */
import { connect } from 'node:net'
import { Organization } from '@ordinator/model/areas/filials/organization'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import type { Caller, Clinic } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { reconcileDevices } from './deviceLines.ts'
import { frame, type Laboratory, makeLaboratory, said } from './testing/laboratory.ts'
import { ENQ, EOT } from './wire/e1381.ts'

let made: Laboratory
let clinic: Clinic
let lab: Caller
let nurse: Caller
let ids: Record<string, number>

beforeAll(async () => {
  made = await makeLaboratory()
  ;({ clinic, lab, nurse, ids } = made)
  await clinic.listen()
}, 120_000)
afterAll(() => clinic?.close())

const tests = () => [ids.testCHOL, ids.testHDL, ids.testLDL]
const order = (more: object = {}) => made.order(more)
const linesOf = (id: number) => made.linesOf(id)
const scan = (code: string, step: string, more: object = {}) => made.scan(code, step, more)
const statusOf = (id: number) => made.statusOf(id)
const taken = () => made.taken()
const itemOf = (items: readonly { id: number; name: string }[], name: string) =>
  items.find((one) => one.name === name)?.id

/** Sends a message as the device does, and waits for this many acknowledgements. */
const tell = (text: string, acks = 2): Promise<number[]> =>
  new Promise((resolve, reject) => {
    const socket = connect(made.port, '127.0.0.1')
    const heard: number[] = []
    socket.setTimeout(30_000, () => reject(new Error('silence')))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`closed after ${heard.length} acknowledgements`)))
    socket.on('data', (bytes) => {
      heard.push(...bytes)
      if (heard.length < acks) return
      socket.end(Buffer.from([EOT]))
      resolve(heard)
    })
    socket.write(Buffer.concat([Buffer.from([ENQ]), frame(1, text)]))
  })
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
    const seen = async () => {
      const { used, reserved, rest } = good(await cashier.get(`/memberships/${idMembership}`))
      return [used, reserved, rest]
    }
    // What is not in the programme is paid as ever.
    const placed = await order({ idCustomer, tests: tests() })
    expect([placed.sum, await seen()]).toEqual([100 + 270 + 180, [0, 2, 2]])
    expect(placed.paidStatus).not.toBe('paid')
    good(await lab.post(`/laboratory/orders/${placed.id}/cancel`, { reason: 'patient' }))
    expect(await seen()).toEqual([0, 0, 4])
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
    const seen = good(await nurse.get(`/laboratory/orders/${id}/lines`))
    expect(seen.items.every((item: { values: unknown[] }) => item.values.length === 0)).toBe(true)
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
    const told = good(await nurse.get('/notifications?filter[kind]=laboratory.critical')).items
    expect(told.map((one: { idEntity: number }) => one.idEntity)).toEqual([id])
    // A notice may be sent by mail: it does not contain the value.
    expect(told[0].text).not.toContain('12')
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
    const text = said(barcode, '4.40')
    expect(await tell(text)).toEqual([6, 6])
    expect((await linesOf(id)).items[0].values).toMatchObject([{ value: '4.40', flag: 'N' }])
    await tell(text)
    const kept = await clinic.db.query<{ n: number }>(sql`select count(*)::int as n from laboratory_results r
      join laboratory_order_items i on i."id" = r."idItem" where i."idOrder" = ${id} and r."idAnalyte" = ${ids.CHOL}`)
    expect(kept[0]?.n).toBe(1)
    const log = good(await lab.get(`/laboratory/devices/${ids.device}/log`))
    expect(log.items.map((one: { state: string }) => one.state).slice(0, 2)).toEqual(['repeat', 'done'])
  })

  it('keeps both when the same tube gets another value: a person chooses', async () => {
    const { id, barcode } = await taken()
    await tell(said(barcode, '4.1'))
    await tell(said(barcode, '4.9', 'mmol/l', '798/', '20260102'))
    const matrix = good(await lab.get(`/laboratory/results/matrix?idOrder=${id}`))
    const cell = matrix.rows[0].cells[String(ids.CHOL)]
    expect([cell.value, cell.others.map((one: { value: string }) => one.value)]).toEqual(['4.1', ['4.9']])
    expect((await lab.post('/laboratory/results/technical', { ids: [cell.idResult] })).status).toBe(409)
    good(await lab.post(`/laboratory/results/${cell.others[0].id}/choose`))
    expect((await linesOf(id)).items[0].values[0].value).toBe('4.9')
  })

  it('guesses nothing: another unit, an unknown code and tube are listed, and parsed again later', async () => {
    const { id, barcode } = await taken()
    await tell(said(barcode, '180', 'mg/dl'))
    await tell(said('9999999999', '4.2'))
    await tell(said(barcode, '1.1', 'mmol/l', '454/'))
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
    await tell(said(barcode, '4.4', 'mmol/l', '798/', '20260103'))
    const [value] = (await linesOf(id)).items[0].values
    good(await lab.post('/laboratory/results/technical', { ids: [value.id] }))
    expect((await lab.post('/laboratory/results/medical', { ids: [value.id] })).body.message).toMatch(
      /контроль качества/,
    )
    good(await run('5.02'), 201)
    good(await lab.post('/laboratory/results/medical', { ids: [value.id] }))
  })
})

/** A message of c311: records after H, each R with value, unit and R-9. */
const message = (...records: readonly string[]) =>
  `H|\\^&|||c311|||||||P|1|${at++}\rP|1\r${records.join('\r')}\rL|1|N\r`
const measured = (barcode: string, value: string, status = 'F', unit = 'mmol/l', code = '798/') =>
  `O|1|${barcode}||^^^${code}\rR|1|^^^${code}|${value}|${unit}||N||${status}`
let at = 20_260_201
const open = async (): Promise<{ id: number; reason: string; value: string; idMessage: number }[]> =>
  good(await lab.get('/laboratory/strays?filter[status]=open&filter[reason][nin]=unfinished&sort=id&limit=100')).items
/** What a message has put aside. */
const aside = async (text: string): Promise<string[]> => {
  const before = new Set((await open()).map(({ id }) => id))
  await tell(text)
  return (await open()).filter(({ id }) => !before.has(id)).map(({ reason }) => reason)
}
const cellOf = async (id: number, analyte = ids.CHOL) =>
  good(await lab.get(`/laboratory/results/matrix?idOrder=${id}`)).rows[0].cells[String(analyte)]
const enter = async (items: readonly { id: number; name: string }[], values: Record<string, string>) =>
  good(
    await lab.post('/laboratory/results/enter', {
      values: Object.entries(values).map(([name, value]) => ({
        idItem: itemOf(items, name),
        idAnalyte: ids[name],
        value,
      })),
    }),
  )
const valuesOf = async (id: number) =>
  (await linesOf(id)).items.flatMap((item: { values: unknown[] }) => item.values) as {
    id: number
    name: string
    value: string
    flag: string | null
    reason: string | null
    status: string
  }[]
const approve = async (id: number) => {
  const all = (await valuesOf(id)).map((one) => one.id)
  good(await lab.post('/laboratory/results/technical', { ids: all }))
  return lab.post('/laboratory/results/medical', { ids: all })
}
const doctor = async (): Promise<number> => good(await nurse.post('/common/get-account', {})).user.identity.id
/** What the doctor of an order was told of it. */
const noticesOf = async (idOrder: number, kind: string): Promise<{ text: string }[]> =>
  good(await nurse.get(`/notifications?filter[kind]=${kind}&filter[idEntity]=${idOrder}&limit=50`)).items
const correct = (id: number, value: string) =>
  lab.post(`/laboratory/results/${id}/correct`, { value, reason: 'Проверка' })

describe('a value', () => {
  it('fills both lines that measure it; the quote says which one another covers', async () => {
    const service = await made.post('services', { nameService: 'Липиды', priceService: 700 })
    const lipids = await made.post('laboratory/catalog', {
      ...{ name: 'Липиды', code: 'LIP', idLaboratory: ids.own, idContainer: ids.yellow, minVolume: 0.5 },
      ...{ idService: service.id, cost: 50 },
    })
    for (const code of ['CHOL', 'HDL'])
      await made.post('laboratory/components', { idTest: lipids.id, idAnalyte: ids[code] })
    const tests = [lipids.id, ids.testCHOL]
    const quote = good(await lab.post('/laboratory/orders/quote', { tests, idFilial: ids.filial }))
    expect(quote.lines.map((line: { covered: string | null }) => line.covered)).toEqual([null, 'Липиды'])
    const { id, barcode } = await made.taken({ tests })
    await tell(message(measured(barcode, '4.4')))
    const values = (await linesOf(id)).items.map((item: { name: string; values: { value: string }[] }) => [
      item.name,
      item.values.map(({ value }) => value),
    ])
    expect(values).toEqual([
      ['Липиды', ['4.4']],
      ['CHOL', ['4.4']],
    ])
  })

  it('is taken of its own tube only, taken and good; a person attaches another with a reason', async () => {
    const { id, barcode, items } = await taken()
    good(await scan(barcode, 'reject', { reason: 'hemolysis' }))
    expect(await aside(message(measured(barcode, '6.0')))).toEqual(['rejected'])
    const { samples } = await linesOf(id)
    const fresh = samples.find((one: { status: string }) => one.status === 'planned').barcode
    expect(await aside(message(measured(fresh, '6.1')))).toEqual(['notTaken'])
    expect(
      (
        await lab.post('/laboratory/results/enter', {
          values: [{ idItem: itemOf(items, 'CHOL'), idAnalyte: ids.CHOL, value: '6.1' }],
        })
      ).status,
    ).toBe(422)
    const stray = (await open()).at(-1) as { id: number }
    const settle = (more: object) =>
      lab.post(`/laboratory/strays/${stray.id}/settle`, { barcode: fresh, idAnalyte: ids.CHOL, ...more })
    expect((await settle({})).text).toContain('reason')
    expect((await settle({ reason: 'Та же кровь' })).text).toContain('Пробирка не взята')
    good(await scan(fresh, 'take'))
    good(await settle({ reason: 'Та же кровь' }))
    expect(await cellOf(id)).toMatchObject({ value: '6.1', reason: 'Та же кровь' })
  })

  it('is not taken of another tube of the order, of a disposed one, nor of a cancelled order', async () => {
    const { post } = made
    const { id: idContainer } = await post('laboratory/containers', {
      ...{ name: 'Фиолетовая', cap: 'violet', drawOrder: 6, usableVolume: 2 },
    })
    const service = await post('services', { nameService: 'Общий анализ', priceService: 400 })
    const blood = await post('laboratory/catalog', {
      ...{ name: 'ОАК', code: 'CBC', idLaboratory: ids.own, idContainer, minVolume: 1, idService: service.id },
    })
    const analyte = await post('laboratory/analytes', { name: 'HGB', code: 'HGB', unit: 'г/л', decimals: 0 })
    await post('laboratory/components', { idTest: blood.id, idAnalyte: analyte.id })
    const { id } = await made.taken({ tests: [ids.testCHOL, blood.id] })
    const { samples } = await linesOf(id)
    const tubeOf = (container: string) =>
      samples.find((one: { container: string }) => one.container === container).barcode
    expect(await aside(message(measured(tubeOf('Фиолетовая'), '4.4')))).toEqual(['wrongTube'])
    const serum = tubeOf('Жёлтая')
    good(await scan(serum, 'receive'))
    good(await scan(serum, 'dispose'))
    expect(await aside(message(measured(serum, '4.4')))).toEqual(['disposed'])
    expect((await cellOf(id)).value).toBeNull()
    const other = await taken()
    good(await lab.post(`/laboratory/orders/${other.id}/cancel`, { reason: 'patient' }))
    expect(await aside(message(measured(other.barcode, '4.4')))).toEqual(['cancelled'])
  })

  it('that a person attaches is converted as its code says, and stays preliminary', async () => {
    const { id, barcode } = await taken()
    const code = { idDevice: ids.device, code: 'MG/', idAnalyte: ids.CHOL, unit: 'mg/dl', factor: 0.05 }
    const { id: idCode } = good(await lab.post('/laboratory/device-codes', code), 201)
    good(await scan(barcode, 'reject', { reason: 'hemolysis' }))
    const said = [measured(barcode, '100', 'P', 'mg/dl', 'MG/'), measured(barcode, '4', 'F', 'g/l', 'MG/')]
    expect(await aside(message(...said))).toEqual(['rejected', 'rejected'])
    const { samples } = await linesOf(id)
    const fresh = samples.find((one: { status: string }) => one.status === 'planned').barcode
    good(await scan(fresh, 'take'))
    const strays = (await open()).slice(-2)
    const settle = (at: number) =>
      lab.post(`/laboratory/strays/${strays[at]?.id}/settle`, {
        ...{ barcode: fresh, idAnalyte: ids.CHOL, reason: 'Та же кровь' },
      })
    expect((await settle(1)).text).toContain('пересчитайте')
    good(await settle(0))
    expect(await cellOf(id)).toMatchObject({ value: '5.00', preliminary: true })
    good(await lab.delete(`/laboratory/device-codes/${idCode}`), 204)
  })

  it('has a status: preliminary ones wait, the final one takes their place, what cannot be obtained is listed', async () => {
    const { id, barcode, items } = await taken()
    await tell(message(measured(barcode, '4.3', 'P')))
    const first = await cellOf(id)
    expect(first).toMatchObject({ value: '4.3', preliminary: true })
    expect((await lab.post('/laboratory/results/technical', { ids: [first.idResult] })).body.message).toMatch(
      /предварительное/,
    )
    await tell(message(measured(barcode, '4.8')))
    expect(await cellOf(id)).toMatchObject({
      ...{ value: '4.8', preliminary: false, others: [] },
      struck: [{ value: '4.3', why: 'device' }],
    })
    expect(await aside(message(measured(barcode, 'Aborted', 'X')))).toEqual(['noResult'])
    expect(await aside(message(measured(barcode, '-----'), measured(barcode, ''), measured(barcode, 'E05')))).toEqual([
      'form',
      'empty',
      'form',
    ])
    await enter(items, { HDL: '1.2' })
    good(await approve(id))
    // After the publication a corrected value asks for a correction.
    await tell(message(measured(barcode, '4.9', 'C')))
    expect(await cellOf(id)).toMatchObject({ value: '4.8', review: 'device' })
    const asked = good(await lab.get('/laboratory/results/reviews')).items.find(
      (one: { idOrder: number }) => one.idOrder === id,
    )
    expect(asked).toMatchObject({ value: '4.8', newValue: '4.9', why: 'device' })
    good(await lab.post(`/laboratory/results/${asked.id}/review`, { accept: true, reason: 'Прибор исправил' }))
    expect((await valuesOf(id)).map(({ name, value, status }) => [name, value, status])).toEqual([
      ['CHOL', '4.9', 'corrected'],
      ['HDL', '1.2', 'medical'],
      ['LDL', '3.70', 'corrected'],
    ])
  })

  it('is a number, a word of the list, a declared «no result», or put aside', async () => {
    const { id, barcode, items } = await taken()
    const body = (more: object) => ({ values: [{ idItem: itemOf(items, 'CHOL'), idAnalyte: ids.CHOL, ...more }] })
    const wrong = await lab.post('/laboratory/results/enter', body({ value: 'мало' }))
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Нет результата')])
    good(await lab.post('/laboratory/results/enter', body({ value: 'мало материала', noResult: true })))
    expect(await cellOf(id)).toMatchObject({ kind: 'none', value: 'мало материала', flag: null })
    // The device says it in its own word: a person says once what it means.
    await tell(message(measured(barcode, 'ERR 7')))
    const stray = (await open()).at(-1) as { id: number; reason: string }
    expect(stray.reason).toBe('form')
    expect((await lab.post(`/laboratory/strays/${stray.id}/mean`, { value: 'нет в списке' })).status).toBe(422)
    expect(good(await lab.post(`/laboratory/strays/${stray.id}/mean`, { none: true }))).toEqual({
      results: 1,
      strays: 0,
    })
    const cell = await cellOf(id)
    good(await lab.post(`/laboratory/results/${cell.others[0].id}/choose`))
    expect(await cellOf(id)).toMatchObject({ kind: 'none', value: 'ERR 7' })
    expect(await aside(message(measured(barcode, 'ERR 7')))).toEqual([])
  })

  it('of a control is compared by its unit, and a patient after it stays a patient', async () => {
    const control = good(
      await lab.post('/laboratory/controls', {
        name: 'QC1',
        lot: '1',
        idDevice: ids.device,
        idAnalyte: ids.HDL,
        mean: 1,
        sd: 0.1,
      }),
      201,
    )
    const { id, barcode } = await taken()
    const qc = (value: string, unit: string) => `O|1|QC1||^^^454/|||||||Q\rR|1|^^^454/|${value}|${unit}||N||F`
    expect(await aside(message(qc('90.5', 'mg/dl'), 'P|2', measured(barcode, '1.30', 'F', 'mmol/l', '454/')))).toEqual([
      'unit',
    ])
    await tell(message(qc('1.2', 'mmol/l'), measured(barcode, '1.30', 'F', 'mmol/l', '454/')))
    expect((await cellOf(id, ids.HDL)).value).toBe('1.30')
    const { runs } = good(await lab.get(`/laboratory/controls/${control.id}/chart`))
    expect(runs.map((one: { value: string; broken: string[] }) => [one.value, one.broken])).toEqual([['1.2', []]])
  })

  it('measured anew is a new measurement of the same bytes, the former one struck beside it', async () => {
    const { id, barcode } = await taken()
    const text = message(measured(barcode, '4.9'))
    await tell(text)
    good(await lab.post('/laboratory/results/repeat', { ids: [(await cellOf(id)).idResult], reason: 'Сгусток' }))
    expect(await cellOf(id)).toMatchObject({
      value: null,
      struck: [{ value: '4.9', why: 'anew', by: expect.any(String) }],
    })
    await tell(text)
    expect((await cellOf(id)).value).toBe('4.9')
    await tell(text)
    const { items: log } = good(await lab.get(`/laboratory/devices/${ids.device}/log`))
    expect(log.slice(0, 2).map((one: { state: string }) => one.state)).toEqual(['repeat', 'done'])
    // Read again it stands once.
    expect(good(await lab.post(`/laboratory/log/${log[0].id}/reread`))).toEqual({ results: 0, strays: 0 })
    expect((await cellOf(id)).others).toEqual([])
  })

  it('that comes second stops each approval, and rings where it is critical', async () => {
    const { id, barcode } = await taken()
    await tell(message(measured(barcode, '4.2')))
    const { idResult } = await cellOf(id)
    good(await lab.post('/laboratory/results/technical', { ids: [idResult] }))
    await tell(message(measured(barcode, '12.5')))
    expect((await lab.post('/laboratory/results/medical', { ids: [idResult] })).body.message).toMatch(/выберите одно/)
    const cell = await cellOf(id)
    expect(cell).toMatchObject({ needsCall: true, idCall: cell.others[0].id })
    good(await lab.post(`/laboratory/results/${idResult}/choose`))
    good(await lab.post('/laboratory/results/medical', { ids: [idResult] }))
    expect((await cellOf(id)).value).toBe('4.2')
  })
})

describe('what follows from a value', () => {
  it('follows its correction: the derived value, the paper, the call', async () => {
    const { id, items } = await made.taken({ idDoctor: await doctor() })
    await enter(items, { CHOL: '4.4', HDL: '1.15' })
    good(await approve(id))
    good(await lab.post(`/laboratory/orders/${id}/issue`, { by: 'paper' }))
    const [chol] = await valuesOf(id)
    const fixed = good(await correct(chol?.id as number, '12'))
    const after = await valuesOf(id)
    expect(after.map(({ value, flag, reason }) => [value, flag, reason])).toEqual([
      ['12', 'HH', 'Проверка'],
      ['1.15', 'N', null],
      ['10.85', 'HH', 'пересчитано'],
    ])
    expect(good(await lab.get(`/laboratory/orders/${id}`))).toMatchObject({ status: 'done', reissue: true })
    const due = good(await lab.get('/laboratory/results/criticals')).items.map((one: { id: number }) => one.id)
    expect(due).toEqual(expect.arrayContaining([fixed.id, after[2]?.id]))
    // Who ordered it and who gave the form away are told that it changed, and by what.
    const [notice] = await noticesOf(id, 'laboratory.corrected')
    for (const words of ['CHOL: причина — Проверка', 'LDL: причина — пересчитано', 'выдайте его заново'])
      expect(notice?.text).toContain(words)
    expect((await nurse.get(`/laboratory/customers/${ids.customer}/results`)).text).toContain('10.85')
    const call = (at: string) =>
      lab.post(`/laboratory/results/${fixed.id}/critical`, { to: 'Врач', at, readBack: true })
    expect((await call('2026-01-01T10:00:00Z')).text).toContain('раньше самого значения')
    good(await call(new Date().toISOString()))
    // A doctor has overruled the formula: it asks from then on.
    good(await correct(after[2]?.id as number, '4.0'))
    good(await correct(fixed.id, '5.4'))
    expect(await cellOf(id, ids.LDL)).toMatchObject({ value: '4.0', review: 'sources' })
  })

  it('is asked about when its tube is rejected after the publication, before another number replaces it', async () => {
    const { id, items, barcode } = await made.taken()
    await enter(items, { CHOL: '4.4', HDL: '1.4' })
    good(await approve(id))
    good(await made.scan(barcode, 'reject', { reason: 'hemolysis' }))
    const { idResult, review } = await cellOf(id)
    expect(review).toBe('tube')
    const put = (body: object) => lab.post(`/laboratory/results/${idResult}/correct`, { reason: 'Иначе', ...body })
    expect((await put({ value: '4.9' })).status).toBe(409)
    expect(await cellOf(id)).toMatchObject({ value: '4.4', review: 'tube' })
    good(await put({ value: 'гемолиз', noResult: true }))
    expect(await cellOf(id)).toMatchObject({ value: 'гемолиз', review: null })
    expect(await cellOf(id, ids.LDL)).toMatchObject({ review: 'tube' })
  })

  it('is judged anew before the publication, and asked about after it, whoever changes the card', async () => {
    const post = made.post
    const customer = await post('customers', {
      surname: 'Ошибка',
      name: 'Пола',
      gender: 'male',
      birthday: '01.02.1980',
    })
    await post('laboratory/norms', { idAnalyte: ids.HDL, sex: 'female', low: 10, high: 20, criticalLow: 2 })
    const set = async (gender: string) => good(await lab.put(`/customers/${customer.id}`, { gender }))
    const first = await made.taken({ idCustomer: customer.id })
    await enter(first.items, { CHOL: '4.4', HDL: '4' })
    await set('female')
    good(await approve(first.id))
    expect((await valuesOf(first.id)).map(({ flag }) => flag)).toEqual([null, 'L', null])
    await set('male')
    await clinic.context.jobs.run('laboratory.rejudge')
    const hdl = await cellOf(first.id, ids.HDL)
    expect(hdl).toMatchObject({ flag: 'L', review: 'card' })
    good(await lab.post(`/laboratory/results/${hdl.idResult}/review`, { accept: true, reason: 'Пол исправлен' }))
    expect(await cellOf(first.id, ids.HDL)).toMatchObject({ value: '4', flag: 'N', status: 'corrected', former: null })
    // A value that becomes critical by the card asks for a call.
    const second = await made.taken({ idCustomer: customer.id })
    await enter(second.items, { CHOL: '4.4', HDL: '1.5' })
    await set('female')
    await clinic.context.jobs.run('laboratory.rejudge')
    expect(await cellOf(second.id, ids.HDL)).toMatchObject({ flag: 'LL', needsCall: true })
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
      await tell(message(measured(barcode, '12.1')))
      return id
    },
    async hand() {
      const { id, items } = await ordered()
      await enter(items, { CHOL: '12.2' })
      return id
    },
    async choice() {
      const { id, barcode } = await ordered()
      await tell(message(measured(barcode, '4.2')))
      await tell(message(measured(barcode, '12.3')))
      good(await lab.post(`/laboratory/results/${(await cellOf(id)).others[0].id}/choose`))
      return id
    },
    async attached() {
      const { id, barcode } = await ordered()
      good(await scan(barcode, 'reject', { reason: 'hemolysis' }))
      await tell(message(measured(barcode, '12.4')))
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
  it('are as many as the volume needs, and stand each at its own place', async () => {
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
    await tell(message(measured(samples[2].barcode, '4.7')))
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
