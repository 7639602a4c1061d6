/** Months of wages for tests. */

import fc from 'fast-check'
import type { MonthFacts, PersonFacts, ServiceFact } from '../facts.ts'
import type { PayRule } from '../rules.ts'

export const fact = (more: Partial<ServiceFact> = {}): ServiceFact => ({
  idLine: 1,
  idService: 10,
  idGroup: 5,
  isProduct: false,
  doneDay: '2026-10-05',
  paidDay: '2026-10-05',
  qty: 1000,
  list: 5_000_00,
  discounted: 4_000_00,
  paid: 4_000_00,
  paidNow: 4_000_00,
  costs: 0,
  performers: [{ idUser: 1, share: 100, own: null }],
  idReferrer: null,
  assistants: [],
  idAuthor: null,
  ...more,
})

export const person = (rules: PayRule[], more: Partial<PersonFacts> = {}): PersonFacts => ({
  idUser: 1,
  schemes: [{ idScheme: 7, accrual: 'done', spans: [{ from: '2026-10-01', to: '2026-10-31' }], isHome: true, rules }],
  days: [],
  bookings: [],
  score: null,
  ...more,
})

export const month = (
  people: PersonFacts[],
  services: ServiceFact[] = [],
  more: Partial<MonthFacts> = {},
): MonthFacts => ({
  from: '2026-10-01',
  to: '2026-10-31',
  normHours: 176,
  normDays: 22,
  revenue: 0,
  people,
  services,
  ...more,
})

export const rule = (more: Partial<PayRule> & Pick<PayRule, 'type'>): PayRule => ({ code: 'a', ...more })

const service = fc.record({
  idLine: fc.nat(1_000_000),
  list: fc.integer({ min: 0, max: 50_000_00 }),
  off: fc.integer({ min: 0, max: 100 }),
  paidPart: fc.integer({ min: 0, max: 100 }),
  costs: fc.integer({ min: 0, max: 5_000_00 }),
  shares: fc.constantFrom([100], [50, 50], [33.34, 33.33, 33.33], [70, 30]),
  day: fc.integer({ min: 1, max: 31 }),
})
export const services = fc.uniqueArray(service, { selector: ({ idLine }) => idLine, maxLength: 40 }).map((all) =>
  all.map(({ idLine, list, off, paidPart, costs, shares, day }): ServiceFact => {
    const discounted = list - Math.floor((list * off) / 100)
    const paid = Math.floor((discounted * paidPart) / 100)
    const at = `2026-10-${String(day).padStart(2, '0')}`
    return fact({
      ...{ idLine, list, discounted, paid, costs },
      paidNow: paid,
      doneDay: at,
      paidDay: paid > 0 ? at : null,
      performers: shares.map((share, place) => ({ idUser: place + 1, share, own: null })),
    })
  }),
)
