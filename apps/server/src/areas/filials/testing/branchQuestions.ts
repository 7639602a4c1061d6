/** Questions about the records of a branch by every exit. */
import type { Call } from '@ordinator/model/call'
import { isRef } from '@ordinator/model/fields/ref'
import { groupingsOf } from '@ordinator/model/report'
import { reports } from '@ordinator/model/reports'
import { dayIn } from '@ordinator/model/zone'
import { z } from 'zod'
import { branchFate } from '#records/branches.ts'
import type { Definition } from '#records/define.ts'
import { aboutOf } from '#records/write.ts'
import type { Answer, Clinic } from '#testing/harness.ts'
import {
  type Ask,
  asked,
  asksOfCalls,
  asksOfPrints,
  asksOfRecords,
  excerptOf,
  type Shape,
  words,
} from '#testing/questions.ts'
import type { Side } from './branchWorld.ts'

const reportOf = (path: string) =>
  reports.find(({ key }) => path === `/reports/${key}` || path.startsWith(`/reports/${key}/`))

/** A visit of the branch: whose day is asked. */
interface Visit {
  idUser: number
  idCustomer: number
  day: string
}

export async function questionsAboutBranch(clinic: Clinic, { idFilial, mark, named }: Side): Promise<Ask[]> {
  const { registry, jobs } = clinic.context
  const visit = await clinic.db.one<Visit>({
    text: `select c."idUser"::int as "idUser", a."idCustomer"::int as "idCustomer", c."localDate"::text as day
      from coupons c join appointments a on a."id" = c."idAppointment" where c."idFilial" = $1 and not c."cancelled"
      order by c."id" desc limit 1`,
    values: [idFilial],
  })
  const warehouse = await clinic.db.one<{ id: number }>({
    text: 'select "id"::int as id from warehouses where "idFilial" = $1 order by 1 limit 1',
    values: [idFilial],
  })
  const today = dayIn('Europe/Moscow', Date.now())
  const from = dayIn('Europe/Moscow', Date.now() - 75 * 86_400_000)

  function foundBy(d: Definition): { by: string; value: number } | undefined {
    const fate = branchFate(registry, d)
    const [by] = fate.kind === 'common' ? [] : fate.by
    const f = by === undefined ? undefined : d.entity.fields[by]
    if (by === undefined || !f || !isRef(f)) return undefined
    const to = registry.at(f.to).entity
    const value = to.branchBy === 'self' ? idFilial : to.branchBy === 'common' ? undefined : named.get(f.to)?.[0]
    return value === undefined ? undefined : { by, value }
  }

  /** The part of an answer that reveals the branch: a word of its records, a record or a group of it. */
  const leakIn = ({ status, text }: Answer): string | undefined =>
    status >= 300
      ? undefined
      : (excerptOf(text, [mark]) ?? new RegExp(`.{0,80}"(idFilial|filial)":"?${idFilial}\\b.{0,60}`).exec(text)?.[0])
  const groupLeakIn = (answer: Answer): string | undefined => {
    const keys: unknown[] = answer.status === 200 ? answer.body.groups.map(({ key }: { key: unknown[] }) => key[0]) : []
    return keys.some((key) => Number(key) === idFilial) ? `group ${idFilial}` : words([mark])(answer)
  }
  const leakOf = (call: Call): Ask['leakIn'] => {
    const report = reportOf(call.path)
    return report && !report.noFilial && call.path === `/reports/${report.key}` ? groupLeakIn : leakIn
  }

  /** Required parameters, and the branch of a report by a condition, since its own filter is refused as a whole. */
  function queryOf({ path, query }: Call): string {
    if (!query) return ''
    const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as Shape
    const report = reportOf(path)
    const isRows = path.endsWith('/rows') || path.endsWith('/file')
    const value = (name: string): string => {
      if (report && name === 'by') {
        const of = Object.entries(report.fields).find(
          ([field, one]) => named.has(one.of ?? '') && Object.hasOwn(groupingsOf(report), field),
        )
        return [...(report.noFilial ? [] : ['filial']), ...(of ? [of[0]] : [])].join()
      }
      if (report && name === 'is') return `filial:${idFilial}`
      if (name === 'what') return 'rows'
      if (name === 'format') return 'csv'
      if (name === 'limit') return '200'
      if (name === 'idUser') return String(visit?.idUser)
      if (/customer|patient/i.test(name)) return String(visit?.idCustomer)
      if (name === 'idFilial') return String(idFilial)
      if (name === 'idWarehouse') return String(warehouse?.id)
      if (name === 'status' && path === '/laboratory/samples/waiting') return 'planned'
      if (/^(day|date)$/.test(name) && visit) return visit.day
      const isMonth = path.startsWith('/expenses/')
      if (/^(from|dateFrom|start)$/.test(name)) return isMonth ? from.slice(0, 7) : from
      if (/^(to|until|dateTo|end|on)$/.test(name)) return isMonth ? today.slice(0, 7) : today
      if (/month/i.test(name)) return today.slice(0, 7)
      if (/^q$|search|text/i.test(name)) return encodeURIComponent(mark)
      const of = properties[name]
      if (of?.enum) return String(of.enum[0])
      return '1'
    }
    const more = report
      ? [
          'from',
          'until',
          'by',
          'what',
          'format',
          ...(path.endsWith('/rows') ? ['limit'] : []),
          ...(isRows && !report.noFilial ? ['is'] : []),
        ]
      : path === '/appointments/day'
        ? ['idUser']
        : []
    const names = Object.keys(properties).filter((name) => required.includes(name) || more.includes(name))
    return names.map((name) => `${name}=${value(name)}`).join('&')
  }

  /** Histories of common records, with the lines of parts that have branches. */
  async function asksOfParts(): Promise<Ask[]> {
    const all: Ask[] = []
    for (const [path, [id]] of named) {
      const d = registry.at(path)
      const about = aboutOf(d)
      if (id === undefined || !about || named.has(about.path) || !registry.find(about.path)) continue
      const line = await clinic.db.one<{ id: number; of: number }>({
        text: `select "idEntity"::int as id, "idAbout"::int as of from history
          where "path" = $1 and "pathAbout" = $2 and "idEntity" = any($3::bigint[]) order by "id" desc limit 1`,
        values: [path, about.path, [...(named.get(path) ?? [])]],
      })
      if (!line) continue
      const word = `"path":"${path}","idEntity":${line.id},`
      all.push(asked('history of parts', `/${about.path}/${line.of}/history?parts=1&limit=500`, words([word])))
    }
    return all
  }

  const period = { from: '2025-06-01', until: today }
  const runsOf: [string, object][] = [
    ['transactions', { asked: { ...period, by: 'filial' } }],
    ['visits', { asked: { ...period, by: 'filial' } }],
  ]
  return [
    ...(await asksOfRecords(clinic, { named, around: new Map(), taboo: [mark], names: [mark], foundBy })),
    asked('search', `/search?q=${encodeURIComponent(mark)}`, ({ body, status }) =>
      status === 200 ? excerptOf(JSON.stringify(body.groups), [mark]) : undefined,
    ),
    ...asksOfCalls({ named, around: new Map() }, queryOf, leakOf),
    ...(await asksOfPrints(clinic, named)),
    ...(await asksOfParts()),
    ...runsOf.map(
      ([report, more]): Ask => ({
        ...{ kind: 'background', what: report, leakIn: groupLeakIn },
        async send(caller) {
          const made = await caller.post('/reports/runs', { report, ...more })
          await jobs.drain()
          return made.status === 201 ? caller.get(`/reports/runs/${made.body.id}/figures`) : made
        },
      }),
    ),
  ]
}
