/** An order from the desk to the issued result, with device messages on the way. */
import { connect } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import type { Caller, Clinic } from '#testing/harness.ts'
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
    expect(quote.total).toBe(600)
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
