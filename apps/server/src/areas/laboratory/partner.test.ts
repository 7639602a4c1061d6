/** Partner orders, their results, and the catalogue from a file. */
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { csv, importFiles } from '#testing/importFiles.ts'
import { askPartners } from './partner.ts'
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
    const told = await laboratorySource.read(clinic.db, id)
    expect(told?.fields.lab).toMatchObject({
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
