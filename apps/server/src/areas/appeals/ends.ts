/** How a call and a chat alike are ended: by an outcome of the clinic's list, or by the next step with its date. */
import type { End } from '@ordinator/model/areas/appeals/endBody'
import type { OutcomeKind } from '@ordinator/model/areas/appeals/outcome'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'

const wrong = (field: string, message: string) => new ValidationError([{ field, message }])

/**
 * What a conversation ends with, as it is kept.
 * @param demanded whatever the clinic demands of others
 * @throws ValidationError where neither is said and the clinic demands it, both are, or the step has no date to come
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

/** The first outcome of the list that counts as this; null where the clinic has none. */
export const outcomeOf = async (db: Queryable, kind: OutcomeKind): Promise<number | null> =>
  (
    await db.one<{ id: number }>(sql`select "id"::int as id from appeals_outcomes
      where "kind" = ${kind} and not "deleted" order by "order", "id" limit 1`)
  )?.id ?? null
