import { beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
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
beforeAll(() =>
  made.post('laboratory/device-codes', { idDevice: ids.device, code: '454/', idAnalyte: ids.HDL, unit: 'mmol/l' }),
)

/** What a message has put aside. */
const aside = async (text: string): Promise<string[]> => {
  const before = new Set((await open()).map(({ id }) => id))
  await transmit(text)
  return (await open()).filter(({ id }) => !before.has(id)).map(({ reason }) => reason)
}

describe('a value', () => {
  it('fills both lines that measure it; the quote shows which one another covers', async () => {
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
    await transmit(message(measured(barcode, '4.4')))
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
    const results = [measured(barcode, '100', 'P', 'mg/dl', 'MG/'), measured(barcode, '4', 'F', 'g/l', 'MG/')]
    expect(await aside(message(...results))).toEqual(['rejected', 'rejected'])
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
    await transmit(message(measured(barcode, '4.3', 'P')))
    const first = await cellOf(id)
    expect(first).toMatchObject({ value: '4.3', preliminary: true })
    expect((await lab.post('/laboratory/results/technical', { ids: [first.idResult] })).body.message).toMatch(
      /предварительное/,
    )
    await transmit(message(measured(barcode, '4.8')))
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
    await transmit(message(measured(barcode, '4.9', 'C')))
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
    // The device sends its own word: a person sets once what it means.
    await transmit(message(measured(barcode, 'ERR 7')))
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
    await transmit(message(qc('1.2', 'mmol/l'), measured(barcode, '1.30', 'F', 'mmol/l', '454/')))
    expect((await cellOf(id, ids.HDL)).value).toBe('1.30')
    const { runs } = good(await lab.get(`/laboratory/controls/${control.id}/chart`))
    expect(runs.map((one: { value: string; broken: string[] }) => [one.value, one.broken])).toEqual([['1.2', []]])
  })

  it('measured anew is a new measurement of the same bytes, the former one struck beside it', async () => {
    const { id, barcode } = await taken()
    const text = message(measured(barcode, '4.9'))
    await transmit(text)
    good(await lab.post('/laboratory/results/repeat', { ids: [(await cellOf(id)).idResult], reason: 'Сгусток' }))
    expect(await cellOf(id)).toMatchObject({
      value: null,
      struck: [{ value: '4.9', why: 'anew', by: expect.any(String) }],
    })
    await transmit(text)
    expect((await cellOf(id)).value).toBe('4.9')
    await transmit(text)
    const { items: log } = good(await lab.get(`/laboratory/devices/${ids.device}/log`))
    expect(log.slice(0, 2).map((one: { state: string }) => one.state)).toEqual(['repeat', 'done'])
    // Read again it is stored once.
    expect(good(await lab.post(`/laboratory/log/${log[0].id}/reread`))).toEqual({ results: 0, strays: 0 })
    expect((await cellOf(id)).others).toEqual([])
  })

  it('that comes second stops each approval, and rings where it is critical', async () => {
    const { id, barcode } = await taken()
    await transmit(message(measured(barcode, '4.2')))
    const { idResult } = await cellOf(id)
    good(await lab.post('/laboratory/results/technical', { ids: [idResult] }))
    await transmit(message(measured(barcode, '12.5')))
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
    // Notifies the doctor who ordered it and the person who issued the form, with the cause of the change.
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

describe('a value that waits', () => {
  it('is returned to the laboratory by a doctor until it is approved, and only from the technical check', async () => {
    const { id, items } = await made.taken({ tests: [ids.testCHOL] })
    await enter(items, { CHOL: '4.9' })
    const [value] = await valuesOf(id)
    const back = (who = lab) => who.post('/laboratory/results/back', { ids: [value?.id], reason: 'Проверьте пробу' })
    const status = async () => (await valuesOf(id))[0]?.status
    expect((await back()).status).toBe(409)
    good(await lab.post('/laboratory/results/technical', { ids: [value?.id] }))
    expect([(await back(nurse)).status, await status()]).toEqual([403, 'technical'])
    expect(good(await back())).toEqual({ count: 1 })
    expect(await status()).toBe('raw')
    // It passes the technical check anew.
    expect((await lab.post('/laboratory/results/medical', { ids: [value?.id] })).status).toBe(409)
    good(await approve(id))
    expect([(await back()).status, await status()]).toEqual([409, 'medical'])
  })

  it('is not in the history of its analyte until it is approved; a corrected one is, with its new number', async () => {
    const { id: idCustomer } = await made.post('customers', {
      ...{ surname: 'Динамикова', name: 'Ия', gender: 'male', birthday: '01.02.1980' },
    })
    const history = async () =>
      good(await lab.get(`/laboratory/results/history?idCustomer=${idCustomer}&idAnalyte=${ids.CHOL}`))
    const numbers = async () =>
      (await history()).points.map(({ number, flag }: { number: number; flag: string }) => [number, flag])
    const one = await made.taken({ idCustomer, tests: [ids.testCHOL] })
    await enter(one.items, { CHOL: '4.1' })
    expect(await numbers()).toEqual([])
    good(await approve(one.id))
    const other = await made.taken({ idCustomer, tests: [ids.testCHOL] })
    await enter(other.items, { CHOL: '5.6' })
    expect(await numbers()).toEqual([[4.1, 'N']])
    good(await approve(other.id))
    // The latest tube is first, whichever value was written last.
    good(await correct((await valuesOf(one.id))[0]?.id as number, '4.4'))
    expect(await numbers()).toEqual([
      [5.6, 'H'],
      [4.4, 'N'],
    ])
    expect((await history()).norm).toEqual({ low: 1, high: 5 })
  })

  it('is counted among what waits, at each step of its tube', async () => {
    const now = async () => {
      const { toTake, toPack, toEnter, toConfirm } = good(await lab.get('/laboratory/now'))
      return [toTake, toPack, toEnter, toConfirm]
    }
    const before = await now()
    const since = async () => (await now()).map((count, at) => count - before[at])
    const { id } = await made.order({ tests: [ids.testCHOL] })
    expect(await since()).toEqual([1, 0, 0, 0])
    const { samples, items } = await linesOf(id)
    good(await scan(samples[0].barcode, 'take'))
    expect(await since()).toEqual([0, 1, 1, 0])
    await enter(items, { CHOL: '4.2' })
    expect((await since()).slice(2)).toEqual([0, 1])
    good(await approve(id))
    expect((await since()).slice(2)).toEqual([0, 0])
  })
})
