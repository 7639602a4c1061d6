/** Which orders the demo laboratory has: patients, tests and states of three months. */
import type { OrderStatus } from '@ordinator/model/areas/laboratory/states'
import type { Biomaterial, TempMode } from '@ordinator/model/areas/laboratory/words'

const DAYS = 90
const PER_DAY = 4
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

export interface Test {
  id: number
  code: string
  isPanel: boolean
  idLaboratory: number
  idService: number
  price: number
  cost: number | null
  biomaterial: Biomaterial
  idContainer: number | null
  tempMode: TempMode
  volume: number
  termDays: number
  section: string
  analytes: number[]
  parts: number[]
}

export interface DemoPatient {
  id: number
  birthday: string | null
  gender: 'male' | 'female' | 'none' | null
}

/** An order of the demo. */
export interface Planned {
  n: number
  /** ms. */
  at: number
  customer: DemoPatient
  status: OrderStatus
  sold: Test[]
  doctor: { id: number }
  cito: boolean
}

/** A number between 0 and 1, stable for a seed. */
export const chance = (seed: number): number => {
  const x = Math.sin(seed * 12.9898 + 78.233) * 43_758.5453
  return x - Math.floor(x)
}

/** States of the orders of the last days; earlier ones are done and issued. */
const fates: readonly OrderStatus[] = [
  'issued',
  'done',
  'partial',
  'inWork',
  'inWork',
  'taken',
  'sent',
  'placed',
  'draft',
  'rejected',
  'cancelled',
]

const ROWS = 'ABCDEFGH'
const ROW_PLACES = 12

/** A place of its own for each archived tube: racks of 8 rows with 12 places each. */
export const archivePlace = (n: number) => ({
  rack: `Ш-${1 + Math.floor(n / (ROWS.length * ROW_PLACES))}`,
  place: `${ROWS[Math.floor(n / ROW_PLACES) % ROWS.length]}${1 + (n % ROW_PLACES)}`,
})

/** @param now ms */
export function planOrders(
  now: number,
  {
    tests,
    customers,
    doctors,
    idPartner,
  }: {
    tests: readonly Test[]
    customers: readonly DemoPatient[]
    doctors: readonly { id: number }[]
    idPartner: number
  },
): Planned[] {
  const testOf = new Map(tests.map((one) => [one.code, one]))
  const singles = ['OAK', 'OAM', 'GLU', 'CRP', 'TSH', 'VITD', 'HBA1C', 'FERR', 'B12', 'PSA', 'ESR']
  const partners = tests.filter(({ idLaboratory, isPanel }) => idLaboratory === idPartner && !isPanel)
  const panels = tests.filter(({ isPanel }) => isPanel)

  return Array.from({ length: DAYS * PER_DAY }, (_, n) => {
    const back = DAYS - 1 - Math.floor(n / PER_DAY)
    const at = now - back * DAY - (2 + (n % PER_DAY)) * HOUR * 0.9
    const customer = customers[Math.floor(chance(n + 5) * customers.length)] as DemoPatient
    const luck = chance(n + 1)
    const status: OrderStatus =
      back > 3
        ? luck < 0.05
          ? 'cancelled'
          : luck < 0.12
            ? 'done'
            : 'issued'
        : (fates[n % fates.length] as OrderStatus)
    const sold = [
      ...(chance(n + 2) < 0.6 ? [panels[Math.floor(chance(n + 3) * panels.length)] as Test] : []),
      ...singles.filter((_code, at2) => chance(n * 31 + at2) < 0.16).map((code) => testOf.get(code) as Test),
      ...(chance(n + 4) < 0.25 || status === 'sent'
        ? [partners[Math.floor(chance(n + 6) * partners.length)] as Test]
        : []),
    ]
    if (sold.length === 0) sold.push(testOf.get('OAK') as Test)
    // A test within a panel is not sold separately.
    const within = new Set(sold.flatMap(({ parts }) => parts))
    const doctor = doctors[n % doctors.length] as { id: number }
    return {
      n,
      at,
      customer,
      status,
      sold: sold.filter(({ id }) => !within.has(id)),
      doctor,
      cito: chance(n + 9) < 0.06,
    }
  })
}

/** The material was taken. */
export const given = (status: OrderStatus) => !['draft', 'placed', 'cancelled'].includes(status)

/** Time from the order to its values, ms. */
export const doneAfter = ({ n, sold }: Planned, idPartner: number): number =>
  (sold.some(({ idLaboratory }) => idLaboratory === idPartner) ? 50 : 5) *
  HOUR *
  (0.6 + chance(n + 11) * (chance(n + 12) < 0.08 ? 2.4 : 0.7))
