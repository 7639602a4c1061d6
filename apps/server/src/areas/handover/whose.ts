/** Which patients and records are a branch's: derived over the declared references, one rule for all exits of a handover. */
import { Filial } from '@ordinator/model/areas/filials/filial'
import type { HandoverWho } from '@ordinator/model/areas/handover/handover'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { ERASED_BASIS } from '#areas/customers/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Definition, Registry } from '#records/define.ts'
import { name } from '#records/plan.ts'
import { goesWith, sealedReferences, unsealedSql } from '#records/sealed.ts'

/**
 * Records by which a patient is one of a branch: visits, payments, orders, plans, papers, chats. A call or a message is no
 * reason: whoever has only rung up is nobody's patient. Certificates and memberships are sold by payments.
 */
const MARKS = [
  'appointments',
  'payments',
  'laboratory/orders',
  'customer-plans',
  'examinations',
  'eln',
  'attachment/applications',
  'attachment/attachments',
  'live-assist',
  'service-online',
  'waiting-list',
] as const

/** Parts of a card: they go with every patient who is handed over, also with one who was in other branches. */
const ofPerson: ReadonlySet<string> = new Set(['customers/policies', 'customers/relations', 'customers/tags'])

/** Entities that stay, by the beginning of their paths, with the reason that the list of contents names. */
export const stays: readonly { path: string; why: string }[] = [
  {
    path: 'payroll/',
    why: 'Зарплата: персональные данные сотрудников, их передают с согласия каждого (152-ФЗ, ст. 6)',
  },
  {
    path: 'staff-events',
    why: 'Смены и отсутствия сотрудников: персональные данные; расписание покупатель заводит своё',
  },
  { path: 'kpi/', why: 'Показатели сотрудников: персональные данные' },
  { path: 'appointments/holds', why: '' },
  { path: 'filials/handovers', why: '' },
  { path: 'moving', why: '' },
]

export const doesStay = ({ entity: { path } }: Definition): boolean =>
  stays.some(
    (one) =>
      path === one.path || (one.path.endsWith('/') && path.startsWith(one.path)) || path.startsWith(`${one.path}/`),
  )

interface Route {
  by: string
  /** Absent: the reference is to the branch itself. */
  to?: Definition
}

const routesOf = new WeakMap<Registry, Map<Definition, Route[]>>()

/**
 * How each entity names a branch: its own reference, else that of the record it is within, else of those it refers to.
 *
 * Not `branchFate` of `records/branches.ts`, which answers who may see a record: there a record of several branches is visible
 * in each of them, one declared `common` in all, and only declared references count. A handover needs one branch of each
 * record, also of a common one (a price list, a template), so the first reference that is set decides, through any record.
 */
function routes(registry: Registry): Map<Definition, Route[]> {
  const known = routesOf.get(registry)
  if (known) return known
  const found = new Map<Definition, Route[]>()
  const references = (d: Definition, fields: readonly string[]): Route[] =>
    fields.flatMap((by): Route[] => {
      const f = d.entity.fields[by]
      if (!f || !isRef(f) || f.options.virtual || f.options.computed || d.entity.nameOnly?.includes(by)) return []
      if (f.to === 'filials') return [{ by }]
      const to = registry.find(f.to)
      return to && to !== d && found.has(to) ? [{ by, to }] : []
    })
  const pass = (fieldsOf: (d: Definition) => readonly string[], onlyOwn = false): boolean => {
    const next = registry.definitions.flatMap((d) => {
      if (found.has(d)) return []
      const own = references(d, fieldsOf(d)).filter(({ to }) => !onlyOwn || !to)
      return own.length > 0 ? [[d, own] as const] : []
    })
    for (const [d, own] of next) found.set(d, own)
    return next.length > 0
  }
  pass(({ entity }) => Object.keys(entity.fields), true)
  const ofParts = () => pass(({ entity: { within } }) => (within ? [within] : []))
  const ofOthers = () => pass(({ entity }) => Object.keys(entity.fields))
  for (let grew = true; grew; grew = ofParts() || ofOthers());
  routesOf.set(registry, found)
  return found
}

/** SQL: the branch that a row names, null where it names none; undefined: rows of the entity never do. */
export function branchSql(registry: Registry, d: Definition, row: Sql, depth = 0): Sql | undefined {
  const own = routes(registry).get(d)
  if (!own) return undefined
  return sql`coalesce(${join(
    own.map(({ by, to }) => {
      if (!to) return sql`${row}.${name(by)}`
      const above = raw(`b${depth}`)
      return sql`(select ${branchSql(registry, to, above, depth + 1)} from ${name(to.entity.table)} ${above} where ${above}."id" = ${row}.${name(by)})`
    }),
  )})`
}

export interface Handover {
  id: number
  idFilial: number
}

/**
 * SQL: the row goes with the branch. A record that names a patient goes if the patient is handed over and the record is the
 * branch's; one that names no branch, if the patient was nowhere else. A record without a patient goes by its branch.
 * @returns undefined for an entity that names neither a branch nor a patient
 */
export function goesSql(registry: Registry, d: Definition, row: Sql, handover: Handover, depth = 0): Sql | undefined {
  if (d.entity === Filial) return sql`${row}."id" = ${handover.idFilial}`
  const branch = branchSql(registry, d, row)
  const here = branch && sql`${branch} = ${handover.idFilial}`
  const inSet = (patients: Sql, more = empty): Sql => sql`exists (select from handover_patients hp
    where hp."idHandover" = ${handover.id} and hp."idCustomer" in (${patients}) ${more})`
  if (d.sealed) return inSet(sql`${row}."id"`)
  const own = sealedReferences(registry, d)
  if (own.length > 0) {
    const patients = join(own.map(({ by }) => sql`${row}.${name(by)}`))
    const alone = ofPerson.has(d.entity.path) ? inSet(patients) : inSet(patients, sql`and hp."isOnly"`)
    if (!branch) return alone
    return sql`case when ${branch} is null then ${alone}
      else ${here} and (coalesce(${patients}) is null or ${inSet(patients)}) end`
  }
  const [by] = goesWith(registry, d)
  const f = by === undefined ? undefined : d.entity.fields[by]
  if (by === undefined || !f || !isRef(f)) return here
  const to = registry.at(f.to)
  const above = raw(`g${depth}`)
  const inside = goesSql(registry, to, above, handover, depth + 1)
  if (!inside) return here
  const found = sql`exists (select from ${name(to.entity.table)} ${above} where ${above}."id" = ${row}.${name(by)} and ${inside})`
  return here ? sql`case when ${row}.${name(by)} is null then ${here} else ${found} end` : found
}

/** Patients who were in the branch and are left out, by reason. */
export interface LeftOut {
  elsewhere: number
  sealed: number
  revoked: number
}

/**
 * Fixes the patients of a handover: living cards with a mark in the branch, or brought into it by a move. Left out: sealed
 * cards that the person has not opened, and patients who have withdrawn the consent to the processing of their data, or
 * whose data were destroyed.
 */
export async function fixPatients(
  app: AppContext,
  handover: Handover & { who: HandoverWho; idUser: number | null },
): Promise<{ patients: number; left: LeftOut }> {
  const { registry } = app
  const marks = MARKS.flatMap((path) => {
    const d = registry.at(path)
    const row = raw('m')
    const branch = branchSql(registry, d, row)
    if (!branch) throw new Error(`${path} names no branch`)
    return sealedReferences(registry, d).map(
      ({ by }) => sql`select m.${name(by)} as id, ${branch} as branch from ${name(d.entity.table)} m
        where m.${name(by)} is not null ${d.entity.soft ? sql`and not m."deleted"` : empty}`,
    )
  })
  // What a move brought into a branch has no mark there before the first visit.
  marks.push(sql`select x."idEntity", v."idFilial" from moving_made x join moving_files f on f."id" = x."idFile"
    join moving v on v."id" = f."idMove" where x."path" = 'customers' and x."changes" is null`)
  return app.db.tx(async (tx) => {
    // Whole tables are read, once in a run.
    await tx.query(sql`set local statement_timeout = 0`)
    await forgetPatients(tx, handover.id)
    await tx.query(sql`insert into handover_patients ("idHandover", "idCustomer", "isOnly")
      select ${handover.id}::bigint, m.id, bool_and(m.branch = ${handover.idFilial}) from (${join(marks, ' union all ')}) m
        join customers c on c."id" = m.id and not c."deleted"
      where m.branch is not null group by m.id having bool_or(m.branch = ${handover.idFilial})`)
    const drop = async (patients: Sql): Promise<number> => {
      const gone = await tx.query<{ id: number }>(sql`delete from handover_patients p using customers c
        where p."idHandover" = ${handover.id} and c."id" = p."idCustomer" and ${patients} returning c."id"`)
      return gone.length
    }
    const sealed = registry.at('customers').sealed
    const me = sql`${handover.idUser ?? 0}::bigint`
    const left: LeftOut = {
      revoked: await drop(REVOKED),
      elsewhere: handover.who === 'only' ? await drop(sql`not p."isOnly"`) : 0,
      sealed: sealed ? await drop(sql`not ${unsealedSql(sealed, { row: raw('c'), me })}`) : 0,
    }
    const kept = await tx.one<{ count: number }>(
      sql`select count(*)::int as count from handover_patients where "idHandover" = ${handover.id}`,
    )
    return { patients: kept?.count ?? 0, left }
  })
}

/** SQL: the last answer about the consent to the processing is a withdrawal, or the data were destroyed at a request. */
const REVOKED = sql`(exists (select from consents r where r."idCustomer" = c."id" and r."type" = 'pd' and not r."deleted"
    and r."revokedAt" is not null and not exists (select from consents n where n."idCustomer" = c."id" and n."type" = 'pd'
      and not n."deleted" and n."revokedAt" is null and n."signedAt" > r."revokedAt"))
  or exists (select from access_log l where l."idCustomer" = c."id" and l."action" = 'delete' and l."entityType" = 'customers'
    and l."basis" like ${`${ERASED_BASIS}%`}))`

export const forgetPatients = (db: Queryable, id: number): Promise<unknown> =>
  db.query(sql`delete from handover_patients where "idHandover" = ${id}`)
