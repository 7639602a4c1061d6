/** Test laboratory with three tests, one of them by a formula, and an analyser. */
import type { Permission } from '@ordinator/model/permissions'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, type TestOptions, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { checksum } from '../wire/e1381.ts'

const rights: Permission[] = [
  'mainSettings',
  'editServices',
  'viewCustomers',
  'editCustomers',
  'viewLaboratoriesOrders',
  'orderLaboratory',
  'takeLabSamples',
  'enterLabResults',
  'approveLabResults',
  'issueLabResults',
  'editLaboratories',
  'manageSignatures',
]

export interface Laboratory {
  clinic: Clinic
  /** Has all rights of the laboratory. */
  lab: Caller
  /** Takes samples and sees published values. */
  nurse: Caller
  /** Takes orders, without a medical right. */
  operator: Caller
  /** Ids of the created records: filial, customer, own, yellow, device, CHOL, testCHOL and so on. */
  ids: Record<string, number>
  /** TCP port of the analyser. */
  port: number
  post(path: string, body: object): Promise<any>
  order(more?: object): Promise<any>
  linesOf(id: number): Promise<any>
  scan(code: string, step: string, more?: object): Promise<any>
  statusOf(id: number): Promise<string>
  /** An order whose tubes were taken. */
  taken(more?: object): Promise<{ id: number; barcode: string; items: { id: number; name: string }[] }>
}

export async function makeLaboratory(options: TestOptions = {}): Promise<Laboratory> {
  const clinic = await testApp({
    ...options,
    prepare: async (context) => {
      await addPerson(context, 'lab', rights)
      await addPerson(context, 'nurse', [
        'viewLaboratoriesOrders',
        'takeLabSamples',
        'viewCustomers',
        'viewExaminations',
      ])
      await addPerson(context, 'operator', ['viewLaboratoriesOrders', 'orderLaboratory', 'viewCustomers'])
    },
  })
  const lab = clinic.as('lab')
  const nurse = clinic.as('nurse')
  const operator = clinic.as('operator')
  const ids: Record<string, number> = {}
  const post = async (path: string, body: object) => good(await lab.post(`/${path}`, body), 201)
  ids.filial = (await post('filials', { nameFilial: 'Центр' })).id
  ids.customer = (
    await post('customers', { surname: 'Больной', name: 'Пётр', gender: 'male', birthday: '01.02.1980' })
  ).id
  ids.own = (await post('laboratory/list', { name: 'Своя', kind: 'own' })).id
  ids.yellow = (
    await post('laboratory/containers', { name: 'Жёлтая', cap: 'yellow', drawOrder: 4, usableVolume: 2 })
  ).id
  for (const [code, price] of [
    ['CHOL', 300],
    ['HDL', 200],
    ['LDL', 100],
  ] as const) {
    const derived = code === 'LDL'
    ids[code] = (
      await post('laboratory/analytes', {
        ...{ name: code, code, unit: 'ммоль/л', decimals: 2 },
        ...(derived && { formula: 'CHOL - HDL' }),
      })
    ).id
    await post('laboratory/norms', { idAnalyte: ids[code], sex: 'male', low: 1, high: 5, criticalHigh: 9 })
    const service = await post('services', { nameService: `Анализ ${code}`, priceService: price })
    ids[`test${code}`] = (
      await post('laboratory/catalog', {
        ...{
          name: code,
          code,
          idLaboratory: ids.own,
          idContainer: ids.yellow,
          minVolume: 0.5,
          idService: service.id,
          cost: 50,
        },
      })
    ).id
    await post('laboratory/components', { idTest: ids[`test${code}`], idAnalyte: ids[code] })
  }
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  ids.device = (await post('laboratory/devices', { name: 'c311', protocol: 'astm', port })).id
  await post('laboratory/device-codes', { idDevice: ids.device, code: '798/', idAnalyte: ids.CHOL, unit: 'mmol/l' })

  const order = (more: object = {}) =>
    post('laboratory/orders/place', {
      idCustomer: ids.customer,
      idFilial: ids.filial,
      tests: [ids.testCHOL, ids.testHDL, ids.testLDL],
      ...more,
    })
  const linesOf = async (id: number) => good(await lab.get(`/laboratory/orders/${id}/lines`))
  const scan = (code: string, step: string, more: object = {}) =>
    lab.post('/laboratory/samples/scan', { code, step, ...more })
  return {
    clinic,
    lab,
    nurse,
    operator,
    ids,
    port,
    post,
    order,
    linesOf,
    scan,
    statusOf: async (id) => good(await lab.get(`/laboratory/orders/${id}`)).status,
    async taken(more = {}) {
      const { id } = await order(more)
      const { samples, items } = await linesOf(id)
      for (const { barcode } of samples) good(await scan(barcode, 'take'))
      return { id, barcode: samples[0].barcode, items }
    },
  }
}

/** A frame of E1381 with its checksum. */
export function frame(number: number, text: string): Buffer {
  const inner = [0x30 + number, ...Buffer.from(text), 3]
  return Buffer.from([2, ...inner, ...Buffer.from(checksum(inner).toString(16).toUpperCase().padStart(2, '0')), 13, 10])
}

/** A message of c311 about one tube. */
export const resultOf = (barcode: string, value: string, unit = 'mmol/l', code = '798/', at = '20260101') =>
  `H|\\^&|||c311|||||||P|1|${at}\rP|1\rO|1|${barcode}||^^^${code}\rR|1|^^^${code}|${value}|${unit}||N||F\rL|1|N\r`
