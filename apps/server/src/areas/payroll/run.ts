/**
 * Calculation of a month, in the background. Computes all lines and writes the differences from the stored ones; manual
 * lines are separate and never changed. The current result of closed months, less their accruals, goes into this one.
 */

import { rubles } from '@ordinator/model/areas/money/rules'
import { calculate, corrections, lineKey } from '@ordinator/model/areas/payroll/calculate'
import { payrollCalls } from '@ordinator/model/areas/payroll/calls'
import type { CalculatedLine } from '@ordinator/model/areas/payroll/facts'
import { PayrollPeriod, PayrollRun, PayrollSlip, type RunDifference } from '@ordinator/model/areas/payroll/payroll'
import { columnOf, type RuleType } from '@ordinator/model/areas/payroll/rules'
import type { Create, Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { backgroundRun } from '#records/run.ts'
import { type Month, openMonth, type Person } from './facts.ts'
import { countingPeriod } from './records.ts'

/** Number of earlier closed months that are recalculated. */
const CORRECTED_MONTHS = 3
/** Lines per statement. */
const PORTION = 5_000
/** Maximum number of people in the reported differences. */
const MAX_DIFFERENCES = 300

const ended = () => ({ dateEnd: new Date().toISOString() })

/** Calculations, with their trials. One that was interrupted is calculated again. */
export const calculations = backgroundRun<typeof PayrollRun>(PayrollRun, {
  job: 'payroll.calculate',
  state: 'status',
  going: ['queued', 'running'],
  seconds: 300,
  after: 'again',
  begun: { status: 'running', progress: 0, stage: null },
  failed: (error) => ({ status: 'failed', error, ...ended() }),
  broken: 'Расчёт не удался: попробуйте ещё раз',
  async work(app, run) {
    const { idPeriod, isTrial } = run.row
    await app.engine.for(systemActor).tx(async (inside, tx) => {
      const onProgress = (progress: number, stage: string) => run.step({ progress, stage })
      await onProgress(5, 'Читаем услуги и смены')
      await countingPeriod(tx, idPeriod)
      const result = await calculateMonth(inside, tx, idPeriod, { isTrial, onProgress })
      await run.finish({ ...result, status: 'done', progress: 100, stage: null, ...ended() }, { records: inside, tx })
    })
  },
})

export const calculatePeriod = operation(payrollCalls.calculate, ({ app, records, params: { id }, body }) =>
  records.tx(async (inside, tx) => {
    await inside.row(PayrollPeriod, id)
    await countingPeriod(tx, id)
    const running = await tx.one(
      sql`select 1 from payroll_runs where "idPeriod" = ${id} and "status" in ('queued', 'running')`,
    )
    if (running) throw new HttpError(409, 'Этот месяц уже считается', { code: 'busy' })
    const made = await inside.asSystem.create(PayrollRun, {
      idPeriod: id,
      isTrial: body.trial,
      idAuthor: inside.actor.id,
    } as Create<typeof PayrollRun>)
    await calculations.queue(app, tx, made.id)
    return made
  }),
)

export const cancelRun = operation(payrollCalls.cancelRun, ({ records, params: { id } }) =>
  records.tx(async (inside, tx) => {
    await inside.row(PayrollRun, id)
    return calculations.cancel(inside, tx, id, { status: 'cancelled', ...ended() }, 'Этот расчёт уже закончен')
  }),
)

type KeptLine = CalculatedLine & { id: number; idOfPeriod: number | null }
type MadeLine = CalculatedLine & { idOfPeriod: number | null }

type Result = Pick<
  Row<typeof PayrollRun>,
  'before' | 'after' | 'added' | 'changed' | 'removed' | 'corrections' | 'differences'
>

/** Computes the lines of a month whose row is locked. A trial writes nothing. */
export async function calculateMonth(
  inside: Records,
  tx: Tx,
  idPeriod: number,
  { isTrial, onProgress }: { isTrial: boolean; onProgress?: (progress: number, stage: string) => Promise<void> },
): Promise<Result> {
  const { payerIncome } = await readCommonSettings(tx)
  const period = { ...(await inside.asSystem.row(PayrollPeriod, idPeriod)), payerIncome }
  const month = await openMonth(tx, period)
  // Taken before the facts: a change in between is processed by the next calculation.
  const prints = new Map([[idPeriod, await month.print()]])
  const { facts, people } = await month.read()
  await onProgress?.(35, 'Считаем начисления')
  const wanted: MadeLine[] = calculate(facts).map((line) => ({ ...line, idOfPeriod: null }))
  const closed = await tx.query<Month & { id: number }>(sql`
    select "id", to_char("month", 'YYYY-MM-DD') as month, "idFilial", "payerIncome" from payroll_periods
    where "idFilial" = ${period.idFilial} and "status" = 'closed' and not "deleted" and "month" < ${period.month}
      and "month" >= ${period.month}::date - make_interval(months => ${CORRECTED_MONTHS}) order by "month"`)
  const kept = await linesOf(tx, sql`s."idPeriod" = ${idPeriod}`)
  for (const [at, before] of closed.entries()) {
    await onProgress?.(45 + Math.round((20 * at) / closed.length), 'Сверяем закрытые месяцы')
    const then = await openMonth(tx, before)
    const print = await then.print()
    prints.set(before.id, print)
    if (await isSettled(tx, before.id, print)) {
      // Its lines equal its facts: the corrections stored here stay.
      for (const { id: _, ...line } of kept) if (line.idOfPeriod === before.id) wanted.push(line)
      continue
    }
    const now = await then.read()
    const accrued = [
      ...(await linesOf(tx, sql`s."idPeriod" = ${before.id} and l."idOfPeriod" is null`)),
      ...(await linesOf(tx, sql`l."idOfPeriod" = ${before.id} and s."idPeriod" <> ${idPeriod}`)),
    ]
    for (const line of corrections(calculate(now.facts), accrued)) wanted.push({ ...line, idOfPeriod: before.id })
    for (const one of now.people) if (!people.some(({ idUser }) => idUser === one.idUser)) people.push(one)
  }
  const { added, changed, removed } = differ(wanted, kept)
  const [before, after] = [sumsOf(kept), sumsOf(wanted)]
  const result: Result = {
    before: rubles(total(before)),
    after: rubles(total(after)),
    added: added.length,
    changed: changed.length,
    removed: removed.length,
    corrections: wanted.filter(({ idOfPeriod }) => idOfPeriod !== null).length,
    differences: await differencesOf(tx, before, after),
  }
  if (isTrial) return result
  await onProgress?.(70, 'Записываем ведомость')
  const slips = await slipsOf(inside, tx, idPeriod, wanted, people)
  await write(tx, slips, { added, changed, removed })
  await sumSlips(inside, idPeriod, facts.people)
  for (const [id, print] of prints) await settle(tx, id, print)
  await inside.asSystem.update(PayrollPeriod, idPeriod, {
    status: 'calculated',
    payerIncome,
    dateCalculated: new Date().toISOString(),
  })
  return result
}

/** SQL of a fingerprint that changes with any line of a month, in whatever month it was accrued. */
const linesPrint = (idPeriod: number) => sql`(
  select count(*) || ' ' || coalesce(sum(hashtextextended(l."id" || ' ' || l."sum", 0)::numeric), 0) from (
    select l."id", l."sum" from payroll_slips s join payroll_lines l on l."idSlip" = s."id"
      where s."idPeriod" = ${idPeriod} and l."idOfPeriod" is null
    union all select l."id", l."sum" from payroll_lines l where l."idOfPeriod" = ${idPeriod}) l)`

/** Whether the lines of a month are known to equal its facts. */
const isSettled = async (db: Queryable, idPeriod: number, facts: string): Promise<boolean> =>
  (await db.one(sql`select 1 from payroll_settled where "idPeriod" = ${idPeriod} and "facts" = ${facts}
    and "lines" = ${linesPrint(idPeriod)}`)) !== undefined

const settle = (tx: Tx, idPeriod: number, facts: string) =>
  tx.query(sql`insert into payroll_settled ("idPeriod", "facts", "lines") values (${idPeriod}, ${facts}, ${linesPrint(idPeriod)})
    on conflict ("idPeriod") do update set "facts" = excluded."facts", "lines" = excluded."lines"`)

/** Stored lines, in kopecks and hundredths. */
const linesOf = (db: Queryable, which: ReturnType<typeof sql>) =>
  db.query<KeptLine>(sql`
    select l."id", s."idUser", l."idScheme", l."rule", l."type", l."name", l."idCouponService",
      to_char(l."localDate", 'YYYY-MM-DD') as day, (l."base" * 100)::float8 as base, l."rate"::float8 as rate,
      (l."sum" * 100)::float8 as sum, l."idOfPeriod"
    from payroll_lines l join payroll_slips s on s."id" = l."idSlip" where ${which}`)

const keyOf = (line: MadeLine): string => `${lineKey(line)}|${line.idOfPeriod ?? ''}`

function differ(wanted: readonly MadeLine[], kept: readonly KeptLine[]) {
  const there = new Map(kept.map((line) => [keyOf(line), line]))
  const added: MadeLine[] = []
  const changed: (MadeLine & { id: number })[] = []
  for (const line of wanted) {
    const known = there.get(keyOf(line))
    there.delete(keyOf(line))
    if (!known) added.push(line)
    else if (
      known.sum !== line.sum ||
      known.base !== line.base ||
      known.rate !== line.rate ||
      known.day !== line.day ||
      known.name !== line.name
    )
      changed.push({ ...line, id: known.id })
  }
  return { added, changed, removed: [...there.values()].map(({ id }) => id) }
}

function sumsOf(lines: readonly MadeLine[]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const { idUser, sum } of lines) sums.set(idUser, (sums.get(idUser) ?? 0) + sum)
  return sums
}
const total = (sums: ReadonlyMap<number, number>): number => [...sums.values()].reduce((all, one) => all + one, 0)

async function differencesOf(
  db: Queryable,
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): Promise<RunDifference[]> {
  const differ = [...new Set([...before.keys(), ...after.keys()])]
    .map((idUser) => ({ idUser, before: before.get(idUser) ?? 0, after: after.get(idUser) ?? 0 }))
    .filter((one) => one.before !== one.after)
    .toSorted((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before))
    .slice(0, MAX_DIFFERENCES)
  const names = await db.query<{ id: number; name: string }>(sql`select u."id", ${shortFioSql(raw('u'))} as name
    from users u where u."id" = any (${differ.map(({ idUser }) => idUser)}::bigint[])`)
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  return differ.map((one) => ({
    idUser: one.idUser,
    name: nameOf.get(one.idUser) ?? '',
    before: rubles(one.before),
    after: rubles(one.after),
  }))
}

/** The slips of a month by person; missing ones are created. */
async function slipsOf(
  inside: Records,
  tx: Tx,
  idPeriod: number,
  wanted: readonly MadeLine[],
  people: readonly Person[],
): Promise<Map<number, number>> {
  const find = () =>
    tx.query<{ id: number; idUser: number }>(
      sql`select "id", "idUser" from payroll_slips where "idPeriod" = ${idPeriod}`,
    )
  const there = new Set((await find()).map(({ idUser }) => idUser))
  const paid = new Set(wanted.map(({ idUser }) => idUser))
  const known = new Map(people.map((one) => [one.idUser, one]))
  const missing = [...paid].filter((idUser) => !there.has(idUser))
  if (missing.length > 0)
    await inside.asSystem.createMany(
      PayrollSlip,
      missing.map((idUser) => ({ idPeriod, idUser, post: known.get(idUser)?.post ?? null })),
      { pastHooks: 'The row of the month is held' },
    )
  return new Map((await find()).map(({ id, idUser }) => [idUser, id]))
}

async function write(
  tx: Tx,
  slips: ReadonlyMap<number, number>,
  { added, changed, removed }: ReturnType<typeof differ>,
): Promise<void> {
  for (let at = 0; at < removed.length; at += PORTION)
    await tx.query(sql`delete from payroll_lines where "id" = any (${removed.slice(at, at + PORTION)}::bigint[])`)
  const stored = (line: MadeLine) => ({
    ...line,
    idSlip: slips.get(line.idUser),
    base: line.base / 100,
    sum: line.sum / 100,
  })
  const columns =
    raw(`"idSlip" bigint, "type" text, "name" text, "idScheme" bigint, "rule" text, "idCouponService" bigint,
    "day" date, "base" numeric, "rate" numeric, "sum" numeric, "idOfPeriod" bigint`)
  for (let at = 0; at < added.length; at += PORTION)
    await tx.query(sql`insert into payroll_lines
      ("idSlip", "type", "name", "idScheme", "rule", "idCouponService", "localDate", "base", "rate", "sum", "idOfPeriod")
      select r."idSlip", r."type", r."name", r."idScheme", r."rule", r."idCouponService", r."day", r."base", r."rate", r."sum", r."idOfPeriod"
      from jsonb_to_recordset(${JSON.stringify(added.slice(at, at + PORTION).map(stored))}::jsonb) as r(${columns})`)
  for (let at = 0; at < changed.length; at += PORTION)
    await tx.query(sql`update payroll_lines l set "name" = r."name", "localDate" = r."day", "base" = r."base",
        "rate" = r."rate", "sum" = r."sum", "_version" = l."_version" + 1
      from jsonb_to_recordset(${JSON.stringify(changed.slice(at, at + PORTION).map((line) => ({ ...stored(line), id: line.id })))}::jsonb)
        as r("id" bigint, ${columns}) where l."id" = r."id"`)
}

const columnsOf = (column: string): string =>
  Object.entries(columnOf)
    .filter(([, of]) => of === column)
    .map(([type]) => `'${type satisfies string as RuleType}'`)
    .join(', ')

/** Sets the sums of the slips to those of their lines. */
async function sumSlips(
  inside: Records,
  idPeriod: number,
  people: readonly { idUser: number; days: readonly { hours: number; isShift: boolean }[] }[],
): Promise<void> {
  const sheet = people.map(({ idUser, days }) => ({
    idUser,
    hours: Math.round(days.reduce((all, { hours }) => all + hours, 0) * 100) / 100,
    shifts: days.filter(({ isShift }) => isShift).length,
  }))
  const of = (column: string) =>
    sql`coalesce(sum(l."sum") filter (where l."type" in (${raw(columnsOf(column))})), 0) as ${raw(column)}`
  await inside.asSystem.updateWhere(
    PayrollSlip,
    {
      rows: sql`select s."id", ${of('salary')}, ${of('percent')}, ${of('kpi')}, max(h."hours") as hours, max(h."shifts") as shifts
        from payroll_slips s left join payroll_lines l on l."idSlip" = s."id"
          left join jsonb_to_recordset(${JSON.stringify(sheet)}::jsonb) as h("idUser" bigint, "hours" numeric, "shifts" int)
            on h."idUser" = s."idUser"
        where s."idPeriod" = ${idPeriod} group by s."id"`,
    },
    ({ picked }) => ({
      salary: sql`${picked}.salary`,
      percent: sql`${picked}.percent`,
      kpi: sql`${picked}.kpi`,
      hours: sql`coalesce(${picked}.hours, 0)`,
      shifts: sql`coalesce(${picked}.shifts, 0)`,
    }),
    { pastHooks: 'They are the sums of the lines' },
  )
}
