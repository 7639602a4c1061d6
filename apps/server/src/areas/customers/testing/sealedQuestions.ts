/** Questions about a patient's card and its records by every exit: lists, calls, reports, prints. */
import { groupingsOf } from '@ordinator/model/report'
import { reports } from '@ordinator/model/reports'
import { dayIn } from '@ordinator/model/zone'
import { z } from 'zod'
import { sealedReferences } from '#records/sealed.ts'
import type { Answer, Clinic } from '#testing/harness.ts'
import {
  type Ask,
  answered,
  asked,
  asksOfCalls,
  asksOfPrints,
  asksOfRecords,
  excerptOf,
  type Shape,
  words,
} from '#testing/questions.ts'
import { MARK, NAMED, PHONE, type SealedCard, TABOO } from './sealedCard.ts'

/** Calls that answer the names of cards: nothing but a name, as lists and references do; the day has its time too. */
const NAMES = new Map([
  ...['/search', '/customers/similar', '/customers/duplicates', '/access-log', '/access-log/alerts'].map(
    (path) => [path, TABOO] as const,
  ),
  ['/appointments/day', TABOO.filter((word) => word !== MARK)] as const,
])

export async function questionsAbout(
  clinic: Clinic,
  { id: vip, named, around, critical, visit }: SealedCard,
): Promise<Ask[]> {
  const { registry, jobs } = clinic.context
  const one = <T extends object>(text: string) => clinic.db.one<T>({ text })
  function asksOfSearch(): Ask[] {
    const found = ({ body, status }: Answer) =>
      status === 200 ? excerptOf(JSON.stringify(body.groups), TABOO) : undefined
    return [MARK, PHONE, '17.07.1977', '+7 916 000-07-77'].map((q) =>
      asked('search', `/search?q=${encodeURIComponent(q)}`, found),
    )
  }

  /** Calls that read by a body, about the card or its records. */
  async function asksByBody(): Promise<Ask[]> {
    const tube = await one<{
      barcode: string
      test: number
    }>(`select s."barcode", i."idTest"::int as test from laboratory_samples s
    join laboratory_orders o on o."id" = s."idOrder" join laboratory_order_items i on i."idOrder" = o."id" where o."idCustomer" = ${vip} limit 1`)
    const line = await one<
      Record<'idService' | 'idUser' | 'idFilial' | 'visit', number>
    >(`select l."idService"::int as "idService",
      c."idUser"::int as "idUser", a."idFilial"::int as "idFilial", a."id"::int as visit from appointments a
    join coupons c on c."idAppointment" = a."id" join coupon_services l on l."idCoupon" = c."id" where a."idCustomer" = ${vip} order by a."id" limit 1`)
    const letter = await one<{ id: number }>('select "id"::int as id from message_templates limit 1')
    const today = dayIn('Europe/Moscow', Date.now())
    const { idService, idUser, idFilial, visit } = line ?? {}
    const lines = [{ idService, idUser }]
    const place = { idCustomer: vip, idFilial, localDate: today, localStart: '10:00' }
    const period = { from: '2025-06-01', until: today }
    const bodies: [string, object][] = [
      ['/laboratory/samples/scan', { code: tube?.barcode }],
      ['/laboratory/orders/quote', { tests: [tube?.test], idFilial, idCustomer: vip }],
      ['/discounts/calculate', { idCustomer: vip, idFilial, lines }],
      ['/appointments/estimate', { ...place, lines }],
      ['/message-templates/preview', { event: 'booking', text: '{имя отчество}, {дата}', idAppointment: visit }],
      [`/message-templates/${letter?.id}/estimate`, { customers: [vip] }],
    ]
    const runsOf: [string, object][] = [
      ['transactions', { asked: { ...period, by: 'customer' } }],
      ['visits', { asked: period, what: 'rows', format: 'csv' }],
      ['lab-terms', { asked: period, what: 'rows', format: 'csv' }],
    ]
    return [
      ...bodies.map(
        ([path, body]): Ask => ({
          ...{ kind: 'body', what: path, leakIn: path.startsWith('/message') ? words(NAMED) : answered },
          send: (caller) => caller.post(path, body),
        }),
      ),
      ...runsOf.map(
        ([report, more]): Ask => ({
          ...{ kind: 'background', what: report, leakIn: words(NAMED) },
          async send(caller) {
            const made = await caller.post('/reports/runs', { report, ...more })
            await jobs.drain()
            if (made.status !== 201) return made
            return caller.get(`/reports/runs/${made.body.id}/${made.body.what === 'rows' ? 'file' : 'figures'}`)
          },
        }),
      ),
    ]
  }

  /** Required parameters, the patient wherever one is asked for, and of a report the grouping by patients. */
  function queryOf(path: string, schema: z.ZodType | undefined): string {
    if (!schema) return ''
    const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
    const today = dayIn('Europe/Moscow', Date.now())
    // The time of the patient's last visit and of its rows.
    const from = dayIn('Europe/Moscow', Date.now() - 75 * 86_400_000)
    const report = reports.find(({ key }) => path === `/reports/${key}` || path.startsWith(`/reports/${key}/`))
    const persons =
      report && Object.entries(report.fields).flatMap(([name, { of }]) => (of === 'customers' ? [name] : []))
    const by = report && persons?.filter((name) => Object.hasOwn(groupingsOf(report), name)).slice(0, 2)
    const value = (name: string): string => {
      if (report && name === 'by') return by?.join() ?? ''
      if (report && name === 'is') return `${by?.[0]}:${vip}`
      if (report && name === 'what') return 'rows'
      if (report && name === 'format') return 'csv'
      if (report && name === 'limit') return '200'
      if (/customer|patient/i.test(name)) return String(vip)
      if (name === 'idOrder') return String(critical?.idOrder)
      if (name === 'idAnalyte') return String(critical?.idAnalyte)
      if (name === 'idFilial' && visit) return String(visit.idFilial)
      if (/^(day|date)$/.test(name) && visit) return visit.day
      if (name === 'status' && path === '/laboratory/samples/waiting') return 'planned'
      if (/^(from|dateFrom|start)$/.test(name)) return from
      if (/^(to|until|dateTo|end|day|date|on)$/.test(name)) return today
      if (/month/i.test(name)) return today.slice(0, 7)
      if (/^q$|search|text|phone/i.test(name)) return encodeURIComponent(/phone/i.test(name) ? `+${PHONE}` : MARK)
      const of = properties[name]
      if (of?.enum) return String(of.enum[0])
      return '1'
    }
    const isRows = path.endsWith('/rows')
    const more = report
      ? ['from', 'until', 'by', 'what', 'format', ...(isRows ? ['limit'] : []), ...(isRows && by?.length ? ['is'] : [])]
      : path === '/appointments/day'
        ? ['idFilial']
        : []
    const names = Object.keys(properties).filter(
      (name) => required.includes(name) || more.includes(name) || /customer|patient|^idOrder$|^phone$/i.test(name),
    )
    return names.map((name) => `${name}=${value(name)}`).join('&')
  }

  return [
    ...(await asksOfRecords(clinic, {
      ...{ named, around, taboo: TABOO, names: NAMED, listed: 'customers' },
      foundBy: (d) => sealedReferences(registry, d).map(({ by }) => ({ by, value: vip }))[0],
    })),
    ...asksOfSearch(),
    ...asksOfCalls(
      { named, around },
      (call) => queryOf(call.path, call.query),
      (call) => words(NAMES.get(call.path) ?? NAMED),
    ),
    ...(await asksOfPrints(clinic, named)),
    ...(await asksByBody()),
  ]
}
