/** Questions about a patient's card and its records by every exit: lists, calls, reports, prints. */
import { everyCall } from '@ordinator/model/calls'
import type { Entity } from '@ordinator/model/entity'
import { isReadable, isStored } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import { groupingsOf } from '@ordinator/model/report'
import { reports } from '@ordinator/model/reports'
import { runs } from '@ordinator/model/testing/runs'
import { dayIn } from '@ordinator/model/zone'
import { z } from 'zod'
import { groupOf } from '#records/grouped.ts'
import { sealedReferences } from '#records/sealed.ts'
import type { Answer, Caller, Clinic } from '#testing/harness.ts'
import { MARK, NAMED, PHONE, type SealedCard, TABOO } from './sealedCard.ts'

/** A question; `tells` gives what its answer says of the card and its records. */
export interface Ask {
  kind: string
  what: string
  send: (caller: Caller) => Promise<Answer>
  tells: (answer: Answer) => string | undefined
}
/** What an answer says that it may not, with its surroundings. */
function told(text: string, words: readonly string[]): string | undefined {
  const word = words.find((one) => text.includes(one))
  if (word === undefined) return undefined
  const at = text.indexOf(word)
  return `${word}: …${text.slice(Math.max(0, at - 100), at + 60)}`
}
const words =
  (some: readonly string[]) =>
  ({ status, text }: Answer) =>
    status < 300 ? told(text, some) : undefined
const answered = ({ status }: Answer) => (status < 300 ? `${status}` : undefined)
const rows = ({ status, body }: Answer) => {
  const count = status === 200 ? body.items.length || body._meta.totalCount : 0
  return count ? `${count} rows` : undefined
}
const groups = ({ status, body }: Answer) => {
  const found = status === 200 && body.groups.some(({ items }: { items: unknown[] }) => items.length > 0)
  return found ? 'rows' : undefined
}
const asked = (kind: string, url: string, tells: Ask['tells']): Ask => ({
  ...{ kind, what: url, tells },
  send: (caller) => caller.get(url),
})

/** Calls that answer the names of cards: nothing but a name, as lists and references do; the day has its time too. */
const NAMES = new Map([
  ...['/search', '/customers/similar', '/customers/duplicates', '/access-log', '/access-log/alerts'].map(
    (path) => [path, TABOO] as const,
  ),
  ['/appointments/day', TABOO.filter((word) => word !== MARK)] as const,
])

/** Files of reports in a usual run. */
const FILES = 3

/** Some of all in a usual run, others on another day; all in a long one. */
export function someOf<T>(all: readonly T[], few: number): T[] {
  const day = Math.floor(Date.now() / 86_400_000)
  const most = Math.min(runs(few, all.length), all.length)
  return Array.from({ length: most }, (_, at) => all[(day * few + at) % all.length] as T)
}

export async function questionsAbout(
  clinic: Clinic,
  { id: vip, named, around, critical, visit }: SealedCard,
): Promise<Ask[]> {
  const { registry, jobs } = clinic.context
  const { definitions } = registry
  const one = <T extends object>(text: string) => clinic.db.one<T>({ text })
  const idsIn = async (table: string, where: string): Promise<number[]> =>
    (
      await clinic.db.query<{ id: number }>({ text: `select "id"::int as id from "${table}" where ${where} limit 20` })
    ).map(({ id }) => id)

  /** Lists, views, expansions, counts, groups, histories and exports of all entities. */
  async function asksOfRecords(): Promise<Ask[]> {
    const all: Ask[] = []
    for (const { entity } of definitions) {
      const { path } = entity
      const ids = named.get(path)
      const own = ids?.length ? `filter[id][in]=${ids.join()}` : undefined
      for (const { as, filter } of await leading(entity))
        all.push(asked('expand', `/${path}?${own ?? filter}&limit=30&expand=${as}`, words(TABOO)))
      for (const f of Object.values(entity.fields)) {
        // A filter through a reference counts what it finds.
        const [through] = isRef(f) && !own ? sealedReferences(registry, registry.at(f.to)) : []
        if (isRef(f) && through && isReadable(f))
          all.push(asked('through', `/${path}?filter[${f.as}.${through.by}]=${vip}&count=exact&limit=1`, rows))
      }
      const [id] = ids ?? []
      const near = entity.nameOnly && around.get(path)
      if (near?.length) all.push(asked('near', `/${path}?filter[id][in]=${near.join()}&limit=30`, words(NAMED)))
      if (!own || id === undefined) continue
      const [reference] = sealedReferences(registry, registry.at(path))
      const by = reference ? `filter[${reference.by}]=${vip}` : own
      const isCard = path === 'customers'
      all.push(
        // The list has the name of a restricted card, and no row of what goes with it.
        asked('list', `/${path}?${own}&limit=30`, isCard ? words(TABOO) : rows),
        ...(isCard ? [] : [asked('count', `/${path}?${by}&count=exact&limit=1`, rows)]),
        ...(groupOf(entity) ? [asked('group', `/${path}/grouped?${own}&limit=10`, groups)] : []),
        asked('view', `/${path}/${id}`, answered),
        asked('history', `/${path}/${id}/history`, answered),
        asked('export', `/${path}/export?format=csv&${own}`, words(NAMED)),
      )
    }
    return all
  }

  /** Relations of an entity to records that name the card, or to the card, with a filter of the rows that have them. */
  async function leading({ fields, many, table }: Entity): Promise<{ as: string; filter: string }[]> {
    const found: { as: string; filter: string }[] = []
    for (const [as, { to, by, through }] of Object.entries(many)) {
      const ids = named.get(to)
      if (!ids?.length || through) continue
      const rows = await clinic.db.query<{ id: number }>({
        text: `select distinct "${by}"::int as id from "${registry.at(to).entity.table}" where "id" in (${ids.join()}) and "${by}" is not null limit 5`,
      })
      if (rows.length) found.push({ as, filter: `filter[id][in]=${rows.map(({ id }) => id).join()}` })
    }
    for (const [by, f] of Object.entries(fields)) {
      if (!isRef(f) || !isReadable(f) || !isStored(f)) continue
      const ids = named.get(f.to)
      if (!ids?.length) continue
      const rows = await idsIn(table, `"${by}" in (${ids.join()})`)
      if (rows.length) found.push({ as: f.as, filter: `filter[id][in]=${rows.join()}` })
    }
    return found
  }

  function asksOfSearch(): Ask[] {
    const found = ({ body, status }: Answer) => (status === 200 ? told(JSON.stringify(body.groups), TABOO) : undefined)
    return [MARK, PHONE, '17.07.1977', '+7 916 000-07-77'].map((q) =>
      asked('search', `/search?q=${encodeURIComponent(q)}`, found),
    )
  }

  /** The entity that a call is about, with ids of its records that name the card, or lie around one that does. */
  const ownOf = (path: string): [string, readonly number[]] | undefined =>
    [...named, ...around]
      .filter(([own, ids]) => path.startsWith(`/${own}/`) && ids.length > 0)
      .toSorted(([a], [b]) => b.length - a.length)[0]

  /** All declared calls that read, reports and files among them. What is about one of the records is refused as a whole. */
  function asksOfCalls(): Ask[] {
    const all = everyCall.filter((call) => call.method === 'GET' && call.access !== 'public')
    // Files of reports are slow.
    const files = all.filter((call) => call.file && call.path.startsWith('/reports/'))
    const reading = [...all.filter((call) => !files.includes(call)), ...someOf(files, FILES)]
    return reading.flatMap((call) => {
      const [path = '', [id] = []] = ownOf(call.path) ?? []
      const isOne = call.path.includes('/:')
      if (isOne && id === undefined) return []
      const url = `${call.path.replace(/:\w+/g, String(id))}?${queryOf(call.path, call.query)}`
      const kind = !call.path.startsWith('/reports/') ? 'call' : call.path.endsWith('/rows') ? 'drill' : 'report'
      const tells = isOne && named.has(path) ? answered : words(NAMES.get(call.path) ?? NAMED)
      return [asked(call.file ? `file of ${kind}` : kind, url, tells)]
    })
  }

  async function asksOfPrints(): Promise<Ask[]> {
    const templates = await clinic.db.query<{ id: number; entity: string }>({
      text: 'select distinct on ("entity") "id"::int as id, "entity" from print_templates order by 2, 1',
    })
    return templates.flatMap(({ id, entity }): Ask[] => {
      const [record] = named.get(entity) ?? []
      if (record === undefined) return []
      const preview = { entity, record, body: '', header: '', footer: '' }
      return [
        asked('print', `/print-templates/${id}/pdf?record=${record}`, answered),
        {
          ...{ kind: 'print', what: `preview of ${entity}`, tells: answered },
          send: (caller) => caller.post('/print-templates/preview', preview),
        },
      ]
    })
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
          ...{ kind: 'body', what: path, tells: path.startsWith('/message') ? words(NAMED) : answered },
          send: (caller) => caller.post(path, body),
        }),
      ),
      ...runsOf.map(
        ([report, more]): Ask => ({
          ...{ kind: 'background', what: report, tells: words(NAMED) },
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
    ...(await asksOfRecords()),
    ...asksOfSearch(),
    ...asksOfCalls(),
    ...(await asksOfPrints()),
    ...(await asksByBody()),
  ]
}

interface Shape {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Shape[]
  items?: Shape
  minimum?: number
  pattern?: string
  format?: string
  properties?: Record<string, Shape>
  required?: string[]
}

/** Answers to calls that write, or read by a body, about the card's records: each must be refused once it is restricted. */
export async function answersToWrites(
  caller: Caller,
  { id, named }: SealedCard,
): Promise<{ what: string; answer: Answer }[]> {
  const found: { what: string; answer: Answer }[] = []
  const paths = [...named.keys()].toSorted((a, b) => b.length - a.length)
  for (const call of everyCall) {
    if (call.method === 'GET' || call.access === 'public' || call.path === '/customers/:id/open') continue
    if (!call.path.includes('/:') || call.bodyType === 'multipart') continue
    const own = named.get(paths.find((path) => call.path.startsWith(`/${path}/:id`)) ?? '')?.[0]
    if (own === undefined) continue
    const url = call.path.replace(/:\w+/g, String(own))
    const answer = await caller.call(call.method, url, call.body && bodyFor(call.body, id))
    found.push({ what: `${call.method} ${url}`, answer })
  }
  return found
}

/** A body of required parts, with the card wherever a patient is named. */
function bodyFor(schema: z.ZodType, idCustomer: number): unknown {
  const value = (name: string, { anyOf, ...shape }: Shape): unknown => {
    const { type, properties = {}, required = [], items, enum: words } = { ...anyOf?.[0], ...shape }
    if ('const' in shape) return shape.const
    if (words) return words[0]
    if (type === 'array') return [value(name, items ?? {})]
    if (type === 'boolean') return true
    if (type === 'integer' || type === 'number') return /customer|patient/i.test(name) ? idCustomer : 1
    if (type === 'object')
      return Object.fromEntries(
        Object.entries(properties)
          .filter(([key]) => required.includes(key))
          .map(([key, inner]) => [key, value(key, inner)]),
      )
    if (/day|date/i.test(name)) return '2026-11-20'
    return 'Проверка записи'
  }
  return value('', z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape)
}
