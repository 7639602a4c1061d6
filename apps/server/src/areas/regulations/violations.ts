/**
 * Violations of regulations: created by runs and by hand, explained by their people, decided by writers of regulations.
 */
import { holds } from '@ordinator/model/access'
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import {
  type RegulationRun,
  type RunStep,
  Violation,
  type ViolationState,
  violationOf,
  violationStates,
} from '@ordinator/model/areas/regulations/run'
import { isOnItsWay } from '@ordinator/model/areas/regulations/status'
import { RegulationStep } from '@ordinator/model/areas/regulations/step'
import type { Create, Row, Update } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import { type Hooks, records, type WriteContext } from '#records/define.ts'
import { changesOf } from '#records/write.ts'
import { notifyOfRegulation, type RegulationNotice } from './notices.ts'
import { violationScope } from './scope.ts'

type Context = Pick<WriteContext, 'actor' | 'tx' | 'records'>
type ViolationRow = Row<typeof Violation>
type RunRow = Row<typeof RegulationRun>

const hooks: Hooks<typeof Violation> = {
  async beforeCreate(context, value) {
    if (context.actor.system) return
    await checkManual(context, value)
    Object.assign(value, { idAuthor: context.actor.id })
  },
  async afterCreate(context, row) {
    if (context.actor.system) return
    await notifyResponsible(context, row.idRegulation, {
      title: 'Вам отметили нарушение регламента',
      text: row.description,
      to: [row.idUser],
    })
  },
  beforeUpdate({ actor }, value, before) {
    if (!actor.system) checkChange(actor.id === before.idUser, holds(actor, 'editScripts'), value, before)
  },
  async afterUpdate(context, row, before) {
    if (context.actor.system) return
    if (row.explanation !== before.explanation && row.explanation)
      await notifyResponsible(context, row.idRegulation, {
        title: 'Нарушение регламента объяснили',
        text: row.explanation,
        ...(row.idAuthor && { to: [row.idAuthor] }),
      })
    else if (row.state !== before.state)
      await notifyResponsible(context, row.idRegulation, {
        title: `Нарушение регламента: ${violationStates[row.state].toLowerCase()}`,
        text: row.description,
        to: [row.idUser],
      })
  },
}

export const violations = records(Violation, {
  scope: violationScope,
  about: { path: Regulation.path, id: ({ row }) => sql`${row}."idRegulation"` },
  hooks,
})

/**
 * Brings the violations of a run's step in line with its mark: for the people responsible for the step, or the runner.
 */
export async function settleBreaches(context: Context, run: RunRow, mark: Row<typeof RunStep>): Promise<void> {
  const { asSystem } = context.records
  const { state, note, dateStart, dateEnd } = mark
  const seconds = dateStart && dateEnd ? (Date.parse(dateEnd) - Date.parse(dateStart)) / 1000 : 0
  const breach = violationOf(await asSystem.row(RegulationStep, mark.idStep), { state, note, seconds })
  const people = breach ? await breakersOf(context, run, mark.idStep) : []
  const before = await asSystem.rows(Violation, {
    'filter[idRun]': run.id,
    'filter[idStep]': mark.idStep,
    limit: 500,
  })
  for (const { id, idUser } of before) if (!people.includes(idUser)) await asSystem.remove(Violation, id)
  for (const idUser of people) {
    const old = before.find((one) => one.idUser === idUser)
    if (old) await asSystem.update(Violation, old.id, { ...breach })
    else
      await asSystem.create(Violation, {
        idRegulation: run.idRegulation,
        idStep: mark.idStep,
        idRun: run.id,
        idUser,
        source: run.idTask ? 'task' : 'check',
        description: '',
        ...breach,
      })
  }
}

/** Announces the violations of a finished run: before that a mark may still be undone. */
export async function notifyOfBreaches(context: Context, { id, idRegulation }: RunRow): Promise<void> {
  const found = await context.records.asSystem.rows(Violation, { 'filter[idRun]': id, limit: 500 })
  for (const [idUser, own] of Map.groupBy(found, (one) => one.idUser))
    await notifyResponsible(context, idRegulation, {
      title: 'Нарушение регламента при выполнении',
      text: own.length === 1 ? own[0]?.description : counted(own.length, violationForms),
      to: [idUser],
    })
}

const violationForms = ['нарушение', 'нарушения', 'нарушений'] as const

/** Active people responsible for the step; without any, the runner. */
async function breakersOf({ tx }: Context, run: RunRow, idStep: number): Promise<number[]> {
  const responsibles = await tx.query<{ id: number }>(sql`
    select u."id" from regulations_step_responsibles p join users u on u."id" = p."idUser"
    where p."idStep" = ${idStep} and not u."deleted" and not u."isBlocked" order by u."id"`)
  return responsibles.length ? responsibles.map(({ id }) => id) : [run.idUser]
}

/** @throws ValidationError when the violation does not match the regulation and step */
async function checkManual({ records }: WriteContext, value: Create<typeof Violation>): Promise<void> {
  const [regulation] = await records.rows(Regulation, { 'filter[id]': value.idRegulation })
  if (regulation && isOnItsWay(regulation.status))
    throw new ValidationError([{ field: 'idRegulation', message: 'Регламент ещё не вступал в силу' }])
  if (value.explanation)
    throw new ValidationError([{ field: 'explanation', message: 'Объяснение пишет сам сотрудник' }])
  if (!value.idStep) return
  const [step] = await records.rows(RegulationStep, { 'filter[id]': value.idStep })
  if (step && step.idRegulation !== value.idRegulation)
    throw new ValidationError([{ field: 'idStep', message: 'Это шаг другого регламента' }])
}

/**
 * Its person may explain it until it is decided; other fields require the right to write regulations.
 * @throws HttpError 403 or 409
 */
function checkChange(isOwn: boolean, isEditor: boolean, value: Update<typeof Violation>, before: ViolationRow): void {
  const { explanation, ...others } = changesOf(Violation, before, value)
  if (explanation) {
    if (!isOwn) throw forbidden('Объяснение пишет сам сотрудник')
    if (!isUndecided(before.state))
      throw new HttpError(409, `Решение уже принято: ${violationStates[before.state].toLowerCase()}`, {
        code: 'decided',
      })
  }
  const follows: ViolationState | undefined = explanation && (value.explanation ? 'explained' : 'new')
  const isDerived =
    Object.keys(others).every((field) => field === 'state') && (!others.state || value.state === follows)
  if (Object.keys(others).length && !isEditor && !isDerived)
    throw forbidden('Решает тот, кто ведёт регламенты; вы можете объяснить нарушение')
  if (follows && !others.state) value.state = follows
}

const isUndecided = (state: ViolationState): boolean => state === 'new' || state === 'explained'

async function notifyResponsible(
  context: Context,
  idRegulation: number,
  notice: Omit<RegulationNotice, 'event'>,
): Promise<void> {
  // A violation outlives its regulation, which may be deleted.
  const [regulation] = await context.records.asSystem.rows(Regulation, { 'filter[id]': idRegulation })
  if (regulation) await notifyOfRegulation(context, regulation, { event: 'violation', ...notice })
}
