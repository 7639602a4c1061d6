/** Starter kits: previewed, installed, and removed as a whole while unused. */
import { ServiceDuration } from '@ordinator/model/areas/catalogue/performer'
import { SERVICE, Service, ServiceGroup, ServiceType } from '@ordinator/model/areas/catalogue/service'
import { ConsentTemplate, ConsentVersion } from '@ordinator/model/areas/consents/consent'
import { ExaminationTemplate } from '@ordinator/model/areas/examinations/template'
import { Speciality } from '@ordinator/model/areas/staff/user'
import { startCalls } from '@ordinator/model/areas/start/calls'
import { type StartKit, startKitKeys } from '@ordinator/model/areas/start/kits'
import { fateOf, hangingWords, pointingAt } from '@ordinator/model/deletion'
import type { Create, Entity, Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import sql, { join, raw } from 'sql-template-tag'
import { clinicDay } from '#areas/consents/index.ts'
import { readyDictionary, readyForms } from '#areas/examinations/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { Registry } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { SystemRecords } from '#records/records.ts'
import { kits } from './kits/index.ts'

const typeColors = {
  'Приём врача': '#1c7ed6',
  Исследование: '#7048e8',
  Анализ: '#e8590c',
  Процедура: '#0ca678',
  Операция: '#c92a2a',
} as const

/** Entities of a kit, in order of creation; removed in reverse order. */
const entities: readonly Entity[] = [
  Speciality,
  ServiceType,
  ServiceGroup,
  Service,
  ServiceDuration,
  ExaminationTemplate,
  ConsentTemplate,
]

const formsOf = (kit: StartKit) => [
  ...readyForms.filter(({ name }) => kits[kit].examinations.includes(name)),
  ...(kits[kit].forms ?? []),
]

const specialitiesOf = (kit: StartKit): string[] => [
  ...new Set([
    ...kits[kit].groups.flatMap(({ specialities }) => specialities),
    ...formsOf(kit).map(({ speciality }) => speciality),
  ]),
]

/** Contents of each kit, and the number of its existing records. */
export const listKits = operation(startCalls.kits, async ({ app }) => {
  const taken = await app.db.query<{ kit: StartKit; count: number }>(sql`
    select k."kit", count(*)::int as count from start_kit_records k where ${thereSql()} group by 1`)
  return {
    kits: startKitKeys.map((key) => ({
      key,
      taken: taken.find(({ kit }) => kit === key)?.count ?? 0,
      services: kits[key].groups.flatMap(({ name: group, services }) =>
        services.map(([name, minutes, code]) => ({ group, name, code: code ?? null, minutes })),
      ),
      specialities: specialitiesOf(key),
      examinations: formsOf(key).map(({ name }) => name),
      consents: kits[key].consents.map(({ name }) => name),
    })),
  }
})

/** SQL condition: the record of line `k` is not deleted. */
const thereSql = () =>
  sql`case k."path" ${join(
    entities.map(
      ({ path, table }) =>
        sql`when ${path} then exists (select 1 from ${raw(`"${table}"`)} r where r."id" = k."idEntity" and not r."deleted")`,
    ),
    ' ',
  )} else false end`

const LOCK = 'start-kits'
const lock = (tx: Tx) => tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${LOCK}, 0))`)

export const takeKit = operation(startCalls.takeKit, ({ records, params: { kit } }) =>
  records.tx(async (own, tx) => {
    await lock(tx)
    await readyDictionary(own, tx)
    return { added: await makeKit(own.asSystem, tx, kit) }
  }),
)

/**
 * Creates the missing records of a kit; existing ones with the same name belong to the clinic.
 * @returns the number of records
 */
export async function makeKit(system: SystemRecords, tx: Tx, key: StartKit): Promise<number> {
  const { groups, prefix, consents } = kits[key]
  const made: { path: string; id: number }[] = []
  const make = async <E extends Entity>(entity: E, body: Create<E>): Promise<number> => {
    const { id } = (await system.create(entity, body as Create<E> & Partial<Row<E>>)) as { id: number }
    made.push({ path: entity.path, id })
    return id
  }
  const named = async (entity: Entity, field: string, names: readonly string[]): Promise<Map<string, number>> => {
    const rows = await tx.query<{ id: number; name: string }>(sql`
      select min("id")::int as id, lower(${raw(`"${field}"`)}) as name from ${raw(`"${entity.table}"`)}
      where not "deleted" and lower(${raw(`"${field}"`)}) = any(${names.map(lower)}) group by 2`)
    return new Map(rows.map(({ id, name }) => [name, id]))
  }

  const wanted = specialitiesOf(key)
  const specialities = await named(Speciality, 'name', wanted)
  for (const name of wanted)
    if (!specialities.has(lower(name))) specialities.set(lower(name), await make(Speciality, { name }))
  const types = await named(ServiceType, 'nameServiceType', Object.keys(typeColors))
  const groupIds = await named(
    ServiceGroup,
    'nameServiceGroup',
    groups.map(({ name }) => name),
  )
  const services = await named(
    Service,
    'nameService',
    groups.flatMap((group) => group.services.map(([name]) => name)),
  )
  let number = 0
  for (const { name, type, color, specialities: theirs, services: items } of groups) {
    if (!types.has(lower(type)))
      types.set(lower(type), await make(ServiceType, { nameServiceType: type, color: typeColors[type] }))
    const idGroup =
      groupIds.get(lower(name)) ??
      (await make(ServiceGroup, {
        nameServiceGroup: name,
        color,
        servicesGroupsType: SERVICE,
        specialities: theirs.map((one) => specialities.get(lower(one)) as number),
      }))
    for (const [nameService, minutes, medicalCode] of items) {
      number += 1
      if (services.has(lower(nameService))) continue
      const idService = await make(Service, {
        nameService,
        code: `${prefix}-${String(number).padStart(3, '0')}`,
        medicalCode: medicalCode ?? null,
        idGroup,
        idType: types.get(lower(type)) as number,
        anyPerformer: theirs.length === 0,
      })
      await make(ServiceDuration, { idService, minutes })
    }
  }
  const forms = formsOf(key)
  const templates = await named(
    ExaminationTemplate,
    'name',
    forms.map(({ name }) => name),
  )
  for (const { name, speciality, form } of forms)
    if (!templates.has(lower(name)))
      await make(ExaminationTemplate, {
        name,
        idSpeciality: specialities.get(lower(speciality)) as number,
        isShared: true,
        forPatient: true,
        form,
      })
  const papers = await named(
    ConsentTemplate,
    'name',
    consents.map(({ name }) => name),
  )
  const dateFrom = await clinicDay(tx)
  for (const { name, type, months, purpose, text } of consents) {
    if (papers.has(lower(name))) continue
    const idTemplate = await make(ConsentTemplate, { name, type, months, isDefault: false })
    await system.create(ConsentVersion, { idTemplate, dateFrom, purpose, text })
  }
  if (made.length)
    await tx.query(sql`insert into start_kit_records ("kit", "path", "idEntity")
      select ${key}, * from unnest(${made.map(({ path }) => path)}::text[], ${made.map(({ id }) => id)}::bigint[])
      on conflict ("path", "idEntity") do nothing`)
  return made.length
}

const lower = (name: string) => name.toLocaleLowerCase('ru')

export const dropKit = operation(startCalls.dropKit, ({ app, records, params: { kit } }) =>
  records.tx(async (own, tx) => {
    await lock(tx)
    const rows = await tx.query<{ path: string; id: number }>(sql`
      select k."path", k."idEntity"::int as id from start_kit_records k
      where k."kit" = ${kit} and ${thereSql()} order by k."number" desc`)
    await refuseUsed(tx, app.registry, rows)
    for (const { path, id } of rows) {
      const entity = entities.find((one) => one.path === path)
      if (entity) await own.asSystem.remove(entity, id, { sure: true })
    }
    await tx.query(sql`delete from start_kit_records where "kit" = ${kit}`)
    return { removed: rows.length }
  }),
)

/**
 * Refuses while other records refer to the kit. Parts deleted with their record (versions, prices, performers) do not
 * count.
 * @throws HttpError 409 `inUse` with the numbers
 */
async function refuseUsed(
  tx: Queryable,
  registry: Registry,
  rows: readonly { path: string; id: number }[],
): Promise<void> {
  const all = registry.definitions.map(({ entity }) => entity)
  const uses: string[] = []
  for (const entity of entities) {
    const ids = rows.filter(({ path }) => path === entity.path).map(({ id }) => id)
    if (ids.length === 0) continue
    for (const pointing of pointingAt(entity, all)) {
      const { entity: other, field, several } = pointing
      if (fateOf(pointing) === 'goes' || other.within === field) continue
      const column = raw(`p."${field}"`)
      const own = rows.filter(({ path }) => path === other.path).map(({ id }) => id)
      const found = await tx.one<{ count: number }>(sql`select count(*)::int as count from ${raw(`"${other.table}"`)} p
        where ${several ? sql`${column} && ${ids}::bigint[]` : sql`${column} = any(${ids}::bigint[])`}
        ${other.soft ? raw('and not p."deleted"') : raw('')} and not p."id" = any(${own}::bigint[])`)
      if (found?.count) uses.push(counted(found.count, hangingWords(pointing, {})))
    }
  }
  if (uses.length)
    throw new HttpError(409, `Набор уже в деле: ${[...new Set(uses)].join(', ')}. Ненужное удалите по одному`, {
      code: 'inUse',
    })
}
