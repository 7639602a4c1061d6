/** Status transitions of a version: from a draft into force, and to the archive (design §10). */
import { regulationCalls } from '@ordinator/model/areas/regulations/calls'
import { Regulation, RegulationReviewer } from '@ordinator/model/areas/regulations/regulation'
import {
  mayFollow,
  needsReason,
  type RegulationStatus,
  regulationStatuses,
} from '@ordinator/model/areas/regulations/status'
import { User } from '@ordinator/model/areas/staff/user'
import type { Row, Update } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { clinicToday, readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { WriteContext } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { assignReads } from './duties.ts'
import { notifyOfRegulation } from './notices.ts'
import { reviewDay } from './regulations.ts'
import { familySql } from './scope.ts'
import { viewOf } from './view.ts'

type RegulationRow = Row<typeof Regulation>
type Context = Pick<WriteContext, 'actor' | 'tx' | 'records'>

/** Arguments of a transition. */
interface Asked {
  reason?: string | null | undefined
  dateEffective?: string | null | undefined
}

export const transition = operation(regulationCalls.transition, ({ records, query: { id }, body: { to, ...asked } }) =>
  records.tx(async (inside, tx) => {
    const before = await lockVersion(inside, tx, id)
    await enter({ actor: inside.actor, tx, records: inside }, before, to, asked)
    return viewOf(inside, id)
  }),
)

/**
 * Locks a version and everything that its transitions depend on: versions of one regulation change one at a time.
 * @throws HttpError 404 when it is outside the user's scope
 */
export async function lockVersion(records: Records, tx: Tx, id: number): Promise<RegulationRow> {
  await tx.query(sql`select 1 from regulations where "id" = (
    select ${familySql(raw('r'))} from regulations r where r."id" = ${id}) for update`)
  await tx.query(sql`select 1 from regulations where "id" = ${id} for update`)
  return records.row(Regulation, id)
}

/**
 * Moves a locked version into another status, with all side effects.
 * @throws HttpError 409 when the transition is not allowed, 422 when something is missing for it
 */
export async function enter(
  context: Context,
  before: RegulationRow,
  to: RegulationStatus,
  asked: Asked,
): Promise<void> {
  if (!mayFollow(before.status, to))
    throw new HttpError(
      409,
      `Из статуса «${regulationStatuses[before.status]}» нельзя перейти в «${regulationStatuses[to]}»`,
      { code: 'transition' },
    )
  const reason = asked.reason?.trim()
  if (needsReason(to) && !reason) throw new ValidationError([{ field: 'reason', message: 'Укажите причину' }])
  switch (to) {
    case 'review':
      return sendToReview(context, before)
    case 'approved':
      return approve(context, before)
    case 'template':
      return sendBack(context, before, reason as string)
    case 'active':
      return putIntoForce(context, before, asked)
    case 'archived':
      return archive(context, before.id)
  }
}

/** Pending reviewers in the order of requests: reviewers, then approvers. */
export async function pendingReviewers(records: Records, id: number): Promise<Row<typeof RegulationReviewer>[]> {
  const rows = await records.asSystem.rows(RegulationReviewer, { 'filter[idRegulation]': id, limit: 500 })
  const pending = rows.filter(({ decision }) => decision !== 'approved')
  const checking = pending.filter(({ kind }) => kind === 'reviewer')
  return [...checking, ...pending.filter(({ kind }) => kind === 'approver')]
}

/** Notifies the pending reviewers: all reviewers, or, when they have agreed, all approvers. */
export async function askReviewers(context: Context, regulation: RegulationRow): Promise<void> {
  const pending = await pendingReviewers(context.records, regulation.id)
  const turn = pending[0]?.kind
  await notifyOfRegulation(context, regulation, {
    event: 'review',
    title: turn === 'approver' ? 'Утвердите регламент' : 'Проверьте регламент',
    to: pending.filter(({ kind }) => kind === turn).map(({ idUser }) => idUser),
  })
}

/** @throws HttpError 409 that names the pending reviewers */
export async function approve(context: Context, before: RegulationRow): Promise<void> {
  const pending = await pendingReviewers(context.records, before.id)
  if (pending.length) {
    const people = await context.records.asSystem.rows(User, {
      'filter[id][in]': pending.map(({ idUser }) => idUser).join(),
      fields: 'shortFio',
      limit: 500,
    })
    throw new HttpError(409, `Ещё не согласовали: ${people.map(({ shortFio }) => shortFio).join(', ')}`, {
      code: 'notAgreed',
    })
  }
  if (!(await agreedByAnother(context, before.id)))
    throw new HttpError(409, 'Утвердить должен другой сотрудник: на проверку регламент отправили вы', {
      code: 'ownApproval',
    })
  await write(context, before.id, { status: 'approved', dateApproved: now() })
  await notifyOfRegulation(context, before, { event: 'decided', title: 'Регламент утверждён' })
}

/** Whether a person other than the sender has agreed, or the clinic does not require it. */
async function agreedByAnother({ actor, tx }: Context, id: number): Promise<boolean> {
  const { regulationsOwnApproval } = await readCommonSettings(tx)
  if (regulationsOwnApproval) return true
  const sent = await tx.one<{ idUser: number | null }>(sql`select "idUser" from history
    where "path" = ${Regulation.path} and "idEntity" = ${id} and "changes" -> 'status' ->> 1 = 'review'
    order by "id" desc limit 1`)
  if (sent?.idUser !== actor.id) return true
  const another = await tx.one(sql`select 1 from regulations_reviewers
    where "idRegulation" = ${id} and "decision" = 'approved' and "idUser" <> ${actor.id} limit 1`)
  return another !== undefined
}

export async function sendBack(context: Context, before: RegulationRow, reason: string): Promise<void> {
  await write(context, before.id, { status: 'template', rejectionReason: reason, dateApproved: null })
  await notifyOfRegulation(context, before, {
    event: 'decided',
    title: 'Регламент возвращён в черновики',
    text: reason,
  })
}

/** Puts this version into force; the previous one is archived at the same time. */
export async function activate(context: Context, before: RegulationRow): Promise<void> {
  const { tx } = context
  const replaced = await tx.one<{ id: number }>(sql`
    select r."id" from regulations r
    where ${familySql(raw('r'))} = ${before.idFirst ?? before.id} and r."status" = 'active' and not r."deleted"`)
  if (replaced) await archive(context, replaced.id)
  await write(context, before.id, {
    status: 'active',
    dateActive: now(),
    dateReview: await reviewDay(tx, null, before.reviewMonths),
    dateReviewReminded: null,
  })
  await notifyOfRegulation(context, before, { event: 'active', title: 'Регламент вступил в силу' })
  await assignReads(context, before.id)
}

/** Today in the clinic's time zone, for effective dates. */

/** Whether the day `YYYY-MM-DD` has begun for the clinic. */
export async function hasCome(tx: Tx, day: string): Promise<boolean> {
  const found = await tx.one<{ come: boolean }>(sql`select ${day}::date <= ${clinicToday} as come`)
  return found?.come === true
}

async function sendToReview(context: Context, before: RegulationRow): Promise<void> {
  const { records } = context
  if (before.stagesCount === 0) throw new ValidationError([{ field: 'stages', message: 'Добавьте хотя бы один шаг' }])
  const rows = await records.asSystem.rows(RegulationReviewer, { 'filter[idRegulation]': before.id, limit: 500 })
  for (const { id } of rows)
    await records.asSystem.update(RegulationReviewer, id, { decision: 'none', dateDecision: null, comment: null })
  await write(context, before.id, { status: 'review', rejectionReason: null })
  await askReviewers(context, before)
}

/** A version with a future day waits for it, and the job puts it into force. */
async function putIntoForce(context: Context, before: RegulationRow, { dateEffective }: Asked): Promise<void> {
  const day = dateEffective === undefined ? before.dateEffective : dateEffective
  if (day !== before.dateEffective) await write(context, before.id, { dateEffective: day })
  if (!day || (await hasCome(context.tx, day))) await activate(context, before)
}

async function archive(context: Context, id: number): Promise<void> {
  await write(context, id, { status: 'archived', dateArchived: now() })
  await assignReads(context, id)
}

const write = ({ records }: Context, id: number, values: Update<typeof Regulation> & Partial<RegulationRow>) =>
  records.asSystem.update(Regulation, id, values).then(() => {})

const now = () => new Date().toISOString()
