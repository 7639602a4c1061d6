/** Runs of a regulation in force, step by step. */
import { regulationCalls } from '@ordinator/model/areas/regulations/calls'
import { RegulationRun, RunStep, refusalOfMark, runStates } from '@ordinator/model/areas/regulations/run'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import { count, type Hooks, records, type WriteContext } from '#records/define.ts'
import { type OperationContext, operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { runScope } from './scope.ts'
import { notifyOfBreaches, settleBreaches } from './violations.ts'

type RunRow = Row<typeof RegulationRun>
type StepRow = Row<typeof RunStep>

export const runs = records(RegulationRun, {
  scope: runScope,
  about: { path: 'regulations', id: ({ row }) => sql`${row}."idRegulation"` },
  computed: {
    stepsTotalCount: count('steps'),
    stepsMarkedCount: count('steps', { where: ({ row }) => sql`${row}."state" <> 'waiting'` }),
    violationsCount: count('violations', { whoever: true }),
  },
  hooks: {
    async beforeCreate({ tx }, { idRegulation }) {
      // Lock the status until the run has its steps.
      const found = await tx.one<{ status: string }>(
        sql`select "status" from regulations where "id" = ${idRegulation} for no key update`,
      )
      if (found && found.status !== 'active')
        throw new ValidationError([{ field: 'idRegulation', message: 'Выполняют только действующий регламент' }])
    },
    afterCreate: makeSteps,
  },
})

const stepHooks: Hooks<typeof RunStep> = {
  async beforeUpdate(context, value, before) {
    if (value.state === undefined && value.note === undefined) return
    const run = await lockRun(context, before.idRun)
    mustGo(run)
    const state = value.state ?? before.state
    const rows = await stepsOf(context.records, run.id)
    const at = rows.findIndex((row) => row.id === before.id)
    const refusal = refusalOfMark(
      rows.map((row) => row.state),
      at,
      state,
    )
    if (refusal) throw new HttpError(409, refusal, { code: 'order' })
    if (state === before.state) return
    const isMarked = state !== 'waiting'
    Object.assign(value, {
      dateEnd: isMarked ? (before.dateEnd ?? new Date().toISOString()) : null,
      idUser: isMarked ? context.actor.id : null,
    })
  },
  async afterUpdate(context, row, before) {
    if (row.state === before.state && row.note === before.note) return
    const { asSystem } = context.records
    const run = await asSystem.row(RegulationRun, row.idRun)
    await settleBreaches(context, run, row)
    const rows = await stepsOf(context.records, run.id)
    const next = rows[rows.findIndex(({ id }) => id === row.id) + 1]
    if (next?.state === 'waiting') await asSystem.update(RunStep, next.id, { dateStart: row.dateEnd })
  },
}

/** Steps are marked through their records: the lock of the run keeps their order. */
export const runSteps = records(RunStep, { hooks: stepHooks })

type Ending = Pick<OperationContext<(typeof regulationCalls)['finishRun']>, 'records' | 'actor' | 'params'>

const end = ({ records, actor, params }: Ending, state: 'finished' | 'cancelled'): Promise<RunRow> =>
  records.tx(async (inside, tx) => {
    await inside.row(RegulationRun, params.id)
    const context = { actor, tx, records: inside }
    mustGo(await lockRun(context, params.id))
    const left = (await stepsOf(inside, params.id)).filter((step) => step.state === 'waiting').length
    if (state === 'finished' && left) throw new HttpError(409, `Не отмечено шагов: ${left}`, { code: 'stepsLeft' })
    const run = await inside.asSystem.update(RegulationRun, params.id, {
      state,
      dateEnd: new Date().toISOString(),
    })
    await notifyOfBreaches(context, run)
    return run
  })

export const runOperations = [
  operation(regulationCalls.finishRun, (context) => end(context, 'finished')),
  operation(regulationCalls.cancelRun, (context) => end(context, 'cancelled')),
]

async function makeSteps({ records }: WriteContext, { id, idRegulation, dateStart }: RunRow): Promise<void> {
  await records.asSystem.createFrom(
    RunStep,
    sql`regulations_steps s where s."idRegulation" = ${idRegulation} and not s."deleted"
      window steps as (order by s."order", s."id") order by s."order", s."id"`,
    {
      idRun: id,
      idStep: raw('s."id"'),
      dateStart: sql`case when row_number() over steps = 1 then ${dateStart}::timestamptz end`,
    },
    { pastHooks: 'the steps are those of the regulation' },
  )
}

/**
 * Locks a run while one of its steps is marked. Fails instead of waiting: a waiter that holds a step could deadlock
 * with the one that marks the step before it.
 * @throws HttpError 403 when it is another's run
 */
async function lockRun({ actor, tx }: { actor: { id: number }; tx: Tx }, idRun: number): Promise<RunRow> {
  const run = await tx.one<RunRow>(
    sql`select * from regulations_runs where "id" = ${idRun} for no key update skip locked`,
  )
  if (!run) throw new HttpError(409, 'Выполнение отмечают в другом окне: повторите', { code: 'busy' })
  if (run.idUser !== actor.id) throw forbidden('Отмечает шаги тот, кто выполняет регламент')
  return run
}

function mustGo({ state }: RunRow): void {
  if (state !== 'going')
    throw new HttpError(409, `Выполнение окончено: ${runStates[state].toLowerCase()}`, { code: state })
}

/** With system rights: a marking user sees all steps. */
const stepsOf = (records: Records, idRun: number): Promise<StepRow[]> =>
  records.asSystem.rows(RunStep, { 'filter[idRun]': idRun, sort: 'id', limit: 500 })
