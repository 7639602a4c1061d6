/** Quality controls: each measurement is checked by the Westgard rules; a rejected one holds the covered results. */
import { laboratoryCalls } from '@ordinator/model/areas/laboratory/calls'
import { controlLevels, LabControl, LabControlRun } from '@ordinator/model/areas/laboratory/control'
import { measured } from '@ordinator/model/areas/laboratory/values'
import { brokenRules, isWarning, sigmaOf, type WestgardRule, zOf } from '@ordinator/model/areas/laboratory/westgard'
import type { Create } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { inOwnBranch } from '#records/branches.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'

/** Maximum number of runs in a chart, and of runs that the rules look back over. */
const MAX_RUNS = 200
const LOOK_BACK = 9

/**
 * SQL condition: a result is held, because the last measurement of an active control of its analyte and device was
 * rejected.
 * Results without a device are not covered.
 */
export const heldByControlSql = (r: Sql): Sql => sql`exists (select 1 from laboratory_controls k
  where k."idDevice" = ${r}."idDevice" and k."idAnalyte" = ${r}."idAnalyte" and k."active" and not k."deleted"
    and (select x."rejected" from laboratory_control_runs x where x."idControl" = k."id" order by x."id" desc limit 1))`

/** Evaluates a control measurement before it is stored. @throws ValidationError at `value` */
export async function judgeRun(tx: Tx, value: { idControl: number; value: string }) {
  await tx.query(sql`select 1 from laboratory_controls where "id" = ${value.idControl} for update`)
  const control = await tx.one<{ level: string; mean: string | null; sd: string | null; expected: string | null }>(
    sql`select "level", "mean"::text as mean, "sd"::text as sd, "expected" from laboratory_controls
      where "id" = ${value.idControl}`,
  )
  if (!control) return {}
  if (control.level === 'qualitative') {
    const same = value.value.trim().toLocaleLowerCase('ru') === (control.expected ?? '').trim().toLocaleLowerCase('ru')
    const broken: WestgardRule[] = same ? [] : ['qualitative']
    return { valueNum: null, z: null, broken, rejected: !same }
  }
  const found = measured(value.value)
  if (!found || found.bound)
    throw new ValidationError([{ field: 'value', message: 'Нужно число: у контроля есть среднее и SD' }])
  const limits = { mean: control.mean ?? '0', sd: control.sd ?? '0' }
  const z = zOf(found.number, limits)
  if (z === null) return { valueNum: found.number, z: null, broken: [], rejected: false }
  const before = await tx.query<{
    value: string
  }>(sql`select "valueNum"::text as value from (select "id", "valueNum" from laboratory_control_runs
    where "idControl" = ${value.idControl} and "valueNum" is not null order by "id" desc limit ${LOOK_BACK}) x order by "id"`)
  const broken = brokenRules([...before.map((one) => one.value), found.number], limits)
  const shown = Math.max(-9999, Math.min(9999, z))
  return { valueNum: found.number, z: shown, broken, rejected: broken.some((rule) => !isWarning(rule)) }
}

export const labControlRuns = records(LabControlRun, {
  hooks: {
    async beforeCreate({ tx }, value: Create<typeof LabControlRun>) {
      Object.assign(value, await judgeRun(tx, value))
    },
  },
})

export const chart = operation(laboratoryCalls.chart, async ({ app, records: all, params }) => {
  const control = await all.row(LabControl, params.id)
  const [names] = await app.db.reads.query<{ analyte: string; device: string; unit: string | null }>(sql`
    select a."name" as analyte, d."name" as device, a."unit" from laboratory_analytes a, laboratory_devices d
    where a."id" = ${control.idAnalyte} and d."id" = ${control.idDevice}`)
  const runs = await all.asSystem.rows(LabControlRun, {
    'filter[idControl]': String(control.id),
    sort: '-id',
    limit: String(MAX_RUNS),
  })
  runs.reverse()
  const numbers = runs.flatMap(({ valueNum }) => (valueNum === null ? [] : [valueNum]))
  const mean = numbers.length ? numbers.reduce((sum, one) => sum + one, 0) / numbers.length : null
  const sd =
    mean !== null && numbers.length > 1
      ? Math.sqrt(numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (numbers.length - 1))
      : null
  const { name, lot, expiresOn, tea, expected } = control
  return {
    ...{ name, lot, expiresOn, tea, expected, mean: control.mean, sd: control.sd },
    analyte: names?.analyte ?? '',
    device: names?.device ?? '',
    unit: names?.unit ?? null,
    level: controlLevels[control.level],
    observedMean: mean === null ? null : Math.round(mean * 1e4) / 1e4,
    observedSd: sd === null ? null : Math.round(sd * 1e4) / 1e4,
    sigma:
      mean === null || sd === null || control.mean === null
        ? null
        : sigmaOf({ tea, mean: control.mean, sd, observed: mean }),
    runs,
  }
})

export const controlStates = operation(laboratoryCalls.controlStates, async ({ app, actor }) => {
  const items = await app.db.reads.query<{
    id: number
    name: string
    analyte: string
    device: string
    level: keyof typeof controlLevels
    lot: string
    lastAt: string | null
    lastValue: string | null
    broken: string[] | null
    rejected: boolean | null
    expired: boolean
    held: number
  }>(sql`select k."id", k."name", a."name" as analyte, d."name" as device, k."level", k."lot", x."dateCreate" as "lastAt",
      x."value" as "lastValue", x."broken", x."rejected", coalesce(k."expiresOn" < ${clinicToday}, false) as expired,
      case when x."rejected" then (select count(*)::int from laboratory_results r where r."idDevice" = k."idDevice"
        and r."idAnalyte" = k."idAnalyte" and r."isMain" and r."status" in ('raw', 'technical')) else 0 end as held
    from laboratory_controls k join laboratory_analytes a on a."id" = k."idAnalyte" join laboratory_devices d on d."id" = k."idDevice"
      left join lateral (select * from laboratory_control_runs x where x."idControl" = k."id" order by x."id" desc limit 1) x on true
    where k."active" and not k."deleted" and ${inOwnBranch(actor, sql`d."idFilial"`)} order by coalesce(x."rejected", false) desc, a."name", k."level" limit 500`)
  return {
    items: items.map((one) => ({
      ...one,
      level: controlLevels[one.level],
      lastAt: one.lastAt && new Date(one.lastAt).toISOString(),
      broken: one.broken ?? [],
      rejected: one.rejected === true,
    })),
  }
})
