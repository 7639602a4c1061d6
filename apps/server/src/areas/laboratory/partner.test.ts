/** Partner orders, their results, and the catalogue from a file. */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { need } from '@ordinator/model/testing/needs'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { csv, importFiles } from '#testing/importFiles.ts'
import { inputsAt } from '#testing/inputs.ts'
import { readReports } from './partnerHl7.ts'
import { askPartners } from './partnerReports.ts'
import { laboratorySource } from './semdSource.ts'
import { type Laboratory, makeLaboratory } from './testing/laboratory.ts'

let made: Laboratory
let idPartner: number
let idTest: number
let idAnalyte: number

beforeAll(async () => {
  made = await makeLaboratory()
  const { post, ids } = made
  idPartner = (await post('laboratory/list', { name: 'Партнёр', kind: 'partner', adapter: 'simulator', priceRule: 50 }))
    .id
  idAnalyte = (
    await post('laboratory/analytes', {
      name: 'Ферритин',
      code: 'FERR',
      unit: 'нг/мл',
      decimals: 0,
      fsli: '1009034',
    })
  ).id
  await post('laboratory/norms', { idAnalyte, low: 30, high: 400 })
  const service = await post('services', { nameService: 'Ферритин', priceService: 720, medicalCode: 'A09.05.076' })
  idTest = (
    await post('laboratory/catalog', {
      ...{ name: 'Ферритин', code: 'FERR', labCode: 'P-1', idLaboratory: idPartner, idContainer: ids.yellow },
      ...{ idService: service.id, cost: 300, medicalCode: 'A09.05.076' },
    })
  ).id
  await post('laboratory/components', { idTest, idAnalyte })
}, 120_000)
afterAll(() => made?.clinic.close())

/**
 * An order whose tube is in transit to the partner.
 * @param last digit of its bar code, which selects the simulator's behaviour
 */
async function sent(last: number) {
  const { clinic, ids, lab, post, scan, taken } = made
  await clinic.db.query(
    sql`select setval('laboratory_barcode', (select ceil(last_value / 10.0)::bigint * 10 + ${last} from laboratory_barcode), false)`,
  )
  const order = await taken({ tests: [idTest] })
  const box = await post('laboratory/shipments', { idLaboratory: idPartner, idFilial: ids.filial })
  good(await scan(order.barcode, 'pack', { idShipment: box.id }))
  good(await lab.post(`/laboratory/shipments/${box.id}/ship`, { temperature: 5, courier: 'Курьеров' }))
  return order
}
const deliver = () => made.clinic.context.outbox.run(`laboratory:${idPartner}`)
const ask = () => askPartners(made.clinic.context)
const atPartner = (id: number) =>
  made.clinic.db.query<{ state: string; externalNumber: string | null }>(
    sql`select "state", "externalNumber" from laboratory_partner_orders where "idOrder" = ${id}`,
  )

describe('an order at a partner', () => {
  it('gets its number, values and document there, which is issued after approval', async () => {
    const { lab, nurse, linesOf, statusOf, clinic } = made
    const { id } = await sent(1)
    await deliver()
    const [row] = await atPartner(id)
    expect(row).toMatchObject({ state: 'accepted', externalNumber: expect.stringMatching(/^P\d+$/) })
    await ask()
    expect((await atPartner(id))[0]?.state).toBe('part')
    const [value] = (await linesOf(id)).items[0].values
    expect(value).toMatchObject({ value: '215', flag: 'N', status: 'raw' })
    expect((await lab.get(`/laboratory/orders/${id}/partner-paper`)).status).toBe(404)
    await ask()
    await ask()
    const lines = await linesOf(id)
    expect([lines.hasPartnerPaper, lines.items[0].values.length]).toEqual([true, 1])
    expect((await nurse.get(`/laboratory/orders/${id}/partner-paper`)).status).toBe(409)
    expect(await laboratorySource.read(clinic.db, id)).toBeUndefined()
    good(await lab.post('/laboratory/results/technical', { ids: [value.id] }))
    good(await lab.post('/laboratory/results/medical', { ids: [value.id] }))
    expect(await statusOf(id)).toBe('done')
    const paper = await nurse.get(`/laboratory/orders/${id}/partner-paper`)
    expect([paper.status, paper.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    const journal = await clinic.db.query<{ basis: string }>(
      sql`select "basis" from access_log where "entityType" = 'laboratory/orders' and "idEntity" = ${id} and "action" = 'print'`,
    )
    expect(journal.map(({ basis }) => basis)).toEqual(['Бланк партнёра'])
    const source = await laboratorySource.read(clinic.db, id)
    expect(source?.fields.lab).toMatchObject({
      specimens: [{ code: '208', name: 'Сыворотка крови' }],
      panels: [{ tests: [{ code: '1009034', value: '215', number: '215', norm: { low: '30', high: '400' } }] }],
      services: [{ code: 'A09.05.076' }],
    })
  })

  it('is a single order there, however often the connection fails', async () => {
    const { id } = await sent(9)
    await deliver()
    expect(await atPartner(id)).toEqual([{ state: 'queued', externalNumber: null }])
    const { db } = made.clinic
    await db.query(sql`update outbox set "dateDue" = now() where "adapter" = 'laboratory'`)
    await db.query(sql`delete from outbox_lanes`)
    await deliver()
    expect((await atPartner(id)).map(({ state }) => state)).toEqual(['accepted'])
  })

  it('opens a retake when the partner refuses the tube, sent there as an order of its own', async () => {
    const { linesOf, statusOf } = made
    const { id, barcode } = await sent(7)
    await deliver()
    await ask()
    const { samples } = await linesOf(id)
    expect(samples.map((one: { barcode: string; status: string }) => [one.barcode === barcode, one.status])).toEqual([
      [true, 'rejected'],
      [false, 'planned'],
    ])
    expect(await statusOf(id)).toBe('rejected')
  })

  it('is cancelled there when it is cancelled here', async () => {
    const { id } = await sent(2)
    await deliver()
    good(await made.lab.post(`/laboratory/orders/${id}/cancel`, { reason: 'patient' }))
    // The line of the journal names the request that it came of.
    expect(
      await made.clinic.db.one(sql`select "correlationId" as id from exchange_messages
        where "adapter" = 'laboratory' and "operation" = 'Отмена заказа' and "idEntity" = ${id}`),
    ).toEqual({ id: expect.stringMatching(/^[a-z0-9]+-[a-z0-9]+$/) })
    await deliver()
    expect((await atPartner(id)).map(({ state }) => state)).toEqual(['cancelled'])
    await ask()
    expect(await made.statusOf(id)).toBe('cancelled')
  })

  it('shows the changed prices, and applies them', async () => {
    const { lab } = made
    const { items } = good(await lab.get(`/laboratory/list/${idPartner}/price`))
    expect(items.map((one: { code: string; state: string }) => [one.code, one.state])).toEqual([
      ['P-1', 'changed'],
      [`NEW-${idPartner}`, 'new'],
    ])
    expect(good(await lab.post(`/laboratory/list/${idPartner}/price`, { codes: [`NEW-${idPartner}`] }))).toEqual({
      changed: 0,
      created: 1,
    })
  })
})

it('asks about every order in its turn, however many are still in work', async () => {
  const { db, context } = made.clinic
  const { id } = await sent(3)
  await deliver()
  // More than a round of orders that the partner never finishes, all older than this one.
  await db.query(sql`insert into laboratory_partner_orders ("key", "idOrder", "idLaboratory", "externalNumber", "state", "dateChange")
    select 'lost-' || n, ${id}, ${idPartner}, 'lost-' || n, 'accepted', now() - interval '1 day' from generate_series(1, 700) n`)
  await db.query(
    sql`update laboratory_partner_orders set "dateAsked" = now() - interval '1 hour' where "key" like 'lost-%'`,
  )
  await db.query(
    sql`update laboratory_partner_orders set "dateAsked" = now() where "idOrder" = ${id} and "key" not like 'lost-%'`,
  )
  const stateOf = async () => (await atPartner(id)).find(({ externalNumber }) => externalNumber?.startsWith('P'))?.state
  await askPartners(context)
  expect(await stateOf()).toBe('accepted')
  await askPartners(context)
  expect(await stateOf()).toBe('part')
  await db.query(sql`delete from laboratory_partner_orders where "key" like 'lost-%'`)
})

describe('a partner with folders', () => {
  let idFolder: number
  let idTests: number
  const folder = (...path: string[]) => join(made.clinic.config.partnerFolders, 'invitro', ...path)
  const report = async (name: string, ...segments: string[]) => {
    const head = 'MSH|^~\\&|LIS|LAB|||20261129120000||ORU^R01|1|P|2.5.1||||||UNICODE UTF-8'
    await mkdir(folder('in'), { recursive: true })
    await writeFile(folder('in', name), [head, ...segments, ''].join('\r'))
    // It arrived a while ago.
    const then = new Date(Date.now() - 60_000)
    await utimes(folder('in', name), then, then)
  }
  const files = async (...path: string[]) =>
    (await readdir(folder(...path)).catch(() => [])).filter((one) => one.endsWith('.hl7'))

  beforeAll(async () => {
    const { post, lab, ids } = made
    const wrong = { name: 'Файлы', kind: 'partner', adapter: 'folders', address: '../etc' }
    expect((await lab.post('/laboratory/list', wrong)).body).toMatchObject([{ field: 'address' }])
    idFolder = (await post('laboratory/list', { ...wrong, address: 'invitro', clientCode: 'CLINIC-7' })).id
    const service = await post('services', { nameService: 'Витамин D', priceService: 900 })
    idTests = (
      await post('laboratory/catalog', {
        ...{ name: 'Ферритин у партнёра', code: 'FERR-F', labCode: 'I-17', idLaboratory: idFolder },
        ...{ idContainer: ids.yellow, idService: service.id, cost: 400 },
      })
    ).id
    await post('laboratory/components', { idTest: idTests, idAnalyte })
  })

  async function ordered() {
    const { ids, lab, post, scan, taken } = made
    const order = await taken({ tests: [idTests] })
    const box = await post('laboratory/shipments', { idLaboratory: idFolder, idFilial: ids.filial })
    good(await scan(order.barcode, 'pack', { idShipment: box.id }))
    good(await lab.post(`/laboratory/shipments/${box.id}/ship`, { temperature: 5, courier: 'Курьеров' }))
    await made.clinic.context.outbox.run(`laboratory:${idFolder}`)
    const [row] = await atPartner(order.id)
    return { ...order, number: row?.externalNumber as string }
  }

  it('writes an order without a name, and takes its report once', async () => {
    const { id, barcode, number } = await ordered()
    const [name = ''] = await files('out')
    const text = await readFile(folder('out', name), 'utf8')
    expect(text).toContain('|ORM^O01^ORM_O01|')
    expect(text).toContain('|ORDINATOR|CLINIC-7|')
    expect(text).toMatch(new RegExp(`ORC\\|NW\\|${number}[^]*OBR\\|1\\|${number}\\|\\|I-17[^]*SPM\\|1\\|${barcode}`))
    expect(text).toContain('||19800201|M')
    expect(text).not.toContain('Больной')
    const value = (status: string, words: string) => [
      `OBR|1|${number}|L-1|I-17^Ферритин|||||||||||||||||||||${status}`,
      `OBX|1|NM|FERR^Ферритин||${words}|нг/мл|30-400||||${status}`,
    ]
    // A preliminary value is not taken; what belongs to no order, or is unreadable, is put aside.
    await report('1.hl7', ...value('P', '190'))
    await report('2.hl7', 'OBR|1|NOBODY|L-2|I-17', 'OBX|1|NM|FERR||5|нг/мл||||F')
    await report('3.hl7')
    await ask()
    expect((await made.linesOf(id)).items[0].values).toEqual([])
    expect([await files('in'), (await files('in', 'done')).length, (await files('in', 'failed')).length]).toEqual([
      [],
      1,
      2,
    ])
    const pdf = Buffer.from('%PDF-1.4 partner').toString('base64')
    await report('4.hl7', ...value('F', '212'), `OBX|2|ED|PDF||^application^pdf^Base64^${pdf}||||||F`)
    await ask()
    const lines = await made.linesOf(id)
    expect(lines.items[0].values).toMatchObject([{ value: '212', flag: 'N', status: 'raw' }])
    expect([lines.hasPartnerPaper, (await atPartner(id))[0]?.state]).toEqual([true, 'done'])
    // The same report again, by the bar code this time.
    await report('5.hl7', `OBR|1|${barcode}||I-17`, 'OBX|1|NM|FERR||212|нг/мл||||F')
    await ask()
    expect((await made.linesOf(id)).items[0].values).toMatchObject([{ value: '212' }])
    expect((await files('in', 'done')).length).toBe(3)
    // Published, it is corrected there: the approver is asked once, and rung, since the new one is critical.
    const { lab } = made
    const [{ id: idResult }] = lines.items[0].values
    good(await lab.post('/laboratory/results/technical', { ids: [idResult] }))
    good(await lab.post('/laboratory/results/medical', { ids: [idResult] }))
    await made.post('laboratory/norms', { idAnalyte, sex: 'male', criticalHigh: 900 })
    const reviews = async () =>
      good(await lab.get('/laboratory/results/reviews')).items.filter((one: { idOrder: number }) => one.idOrder === id)
    await report('5a.hl7', ...value('C', '950'))
    await ask()
    await report('5b.hl7', ...value('C', '950'))
    await ask()
    expect(await reviews()).toMatchObject([{ id: idResult, value: '212', newValue: '950', why: 'device' }])
    const due = good(await lab.get('/laboratory/results/criticals')).items
    expect(due.filter((one: { idOrder: number }) => one.idOrder === id)).toMatchObject([{ value: '950' }])
    good(await lab.post(`/laboratory/results/${idResult}/review`, { accept: false, reason: 'Лаборатория ошиблась' }))
    await report('5c.hl7', ...value('C', '950'))
    await ask()
    expect([await reviews(), (await made.linesOf(id)).items[0].values[0].value]).toEqual([[], '212'])
  })

  it('rejects the tube that the partner refuses, and is sent a cancellation', async () => {
    const first = await ordered()
    await report(
      '6.hl7',
      `OBR|1|${first.number}||I-17|||||||||||||||||||||X`,
      `SPM|1|${first.barcode}|||||||||||||||||||RH`,
    )
    await ask()
    const { samples } = await made.linesOf(first.id)
    expect(samples[0]).toMatchObject({ status: 'rejected', rejectReason: 'hemolysis' })
    const poor = await ordered()
    await report('6a.hl7', `OBR|1|${poor.number}||I-17`, 'OBX|1|NM|FERR||Мало материала|нг/мл|||||X')
    await ask()
    const [stray] = good(await made.lab.get('/laboratory/strays?sort=-id&limit=1')).items
    expect(stray).toMatchObject({ reason: 'noResult', value: 'Мало материала' })
    expect((await made.linesOf(poor.id)).items[0].values).toEqual([])
    const second = await ordered()
    good(await made.lab.post(`/laboratory/orders/${second.id}/cancel`, { reason: 'patient' }))
    await made.clinic.context.outbox.run(`laboratory:${idFolder}`)
    expect(await files('out')).toContain(`ORM-${second.number}-CA.hl7`)
  })

  it('differs from our own faults: both have their words in the journal, and neither stops the others', async () => {
    const { number } = await ordered()
    await report('7.hl7', `OBR|1|${number}||I-17`, 'OBX|1|NM|FERR||100|нг/мл||||F')
    const { db } = made.clinic
    await db.query({
      text: `alter table laboratory_results add constraint lab_broken check ("value" <> '100') not valid`,
    })
    await ask()
    const exchangeOf = async () =>
      (
        await db.query<{ errorText: string | null }>({
          text: `select "errorText" from exchange_messages where "adapter" = 'laboratory' order by "dateLast" desc, "id" desc limit 1`,
        })
      )[0]
    expect((await exchangeOf())?.errorText).toContain('Сбой у нас')
    expect(await files('in')).toEqual(['7.hl7'])
    await db.query({ text: 'alter table laboratory_results drop constraint lab_broken' })
    await ask()
    expect(await files('in')).toEqual([])
    await rename(folder(), `${folder()}-away`)
    await writeFile(folder(), 'not a folder')
    await ask()
    expect((await exchangeOf())?.errorText).toBe('Партнёр не отвечает')
  })
})

const inputs = inputsAt('hl7')
const files = need('Сообщения HL7 настоящих систем (папка inputs рядом с кодом)', inputs)
it.runIf(files.there)('reads the reports of real systems without a fault', files.options, () => {
  let values = 0
  for (const name of readdirSync(inputs as string).filter((one) => one.endsWith('.hl7'))) {
    const reports = readReports(readFileSync(join(inputs as string, name)))
    values += (reports ?? []).reduce((sum, { results }) => sum + results.values.length, 0)
  }
  expect(values).toBeGreaterThan(30)
})

it('imports the catalogue from a file: updates known tests, ignores empty cells, explains invalid rows', async () => {
  const { clinic, lab, nurse, ids } = made
  const files = importFiles(clinic, 'laboratory')
  const file = csv(
    'Название;Код;Лаборатория;Отдел;Контейнер;Себестоимость;Действует',
    'Холестерин общий;chol;Своя;;;77,50;',
    'Железо;FE;Своя;биохимия;Жёлтая;60;да',
    'Медь;CU;Чужая;;;1;',
    'Цинк;ZN;Своя;Кухня;;1;',
    'Железо ещё раз;FE;Своя;;;60;',
  )
  const run = await files.take(lab, file, {}, { skipWrong: true })
  expect(run).toMatchObject({ state: 'done', failed: 3 })
  const list = good(
    await lab.get(`/laboratory/catalog?filter[idLaboratory]=${ids.own}&sort=id&fields=name,code,cost,idContainer`),
  )
  const rows = list.items.map((one: Record<string, unknown>) => [one.name, one.code, one.cost, one.idContainer])
  expect(rows).toContainEqual(['Холестерин общий', 'chol', 77.5, ids.yellow])
  expect(rows).toContainEqual(['Железо', 'FE', 60, ids.yellow])
  expect(rows).toHaveLength(4)
  expect((await nurse.get('/laboratory/catalog?limit=1')).status).toBe(200)
})
