/** Completion of calls and chats: by an outcome of the clinic's list, or by a dated next step. */
import type { End } from '@ordinator/model/areas/appeals/endBody'
import type { OutcomeKind } from '@ordinator/model/areas/appeals/outcome'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'

const wrong = (field: string, message: string) => new ValidationError([{ field, message }])

/**
 * Validated fields of a completion.
 * @param demanded overrides the clinic's setting
 * @throws ValidationError if both are missing although required, both are given, or the step has no future date
 */
export async function endOf(
  db: Queryable,
  { idOutcome, nextStep, dateNextStep }: End,
  demanded?: boolean,
): Promise<KeptEnd> {
  if (idOutcome && (nextStep || dateNextStep)) throw wrong('idOutcome', 'Выберите одно: итог или следующий шаг с датой')
  if (idOutcome) {
    if (!(await db.one(sql`select 1 from appeals_outcomes where "id" = ${idOutcome} and not "deleted"`)))
      throw wrong('idOutcome', 'Такого итога нет в списке: выберите другой')
    return { idOutcome, nextStep: null, dateNextStep: null }
  }
  if (nextStep && !dateNextStep) throw wrong('dateNextStep', 'Когда это сделать?')
  if (!nextStep && dateNextStep) throw wrong('nextStep', 'Что будет сделано?')
  if (dateNextStep && Date.parse(dateNextStep) <= Date.now()) throw wrong('dateNextStep', 'Это время уже прошло')
  if (!nextStep && (demanded ?? (await readCommonSettings(db)).demandOutcome))
    throw wrong('idOutcome', 'Укажите итог или следующий шаг с датой')
  return { idOutcome: null, nextStep: nextStep || null, dateNextStep: dateNextStep ?? null }
}

interface KeptEnd {
  idOutcome: number | null
  nextStep: string | null
  dateNextStep: string | null
}

/** The first outcome in the list of this kind; null if the clinic has none. */
export const outcomeOf = async (db: Queryable, kind: OutcomeKind): Promise<number | null> =>
  (
    await db.one<{ id: number }>(sql`select "id"::int as id from appeals_outcomes
      where "kind" = ${kind} and not "deleted" order by "order", "id" limit 1`)
  )?.id ?? null
