/** Records created from a call or an appeal by one button, with the user's rights. */
import { can } from '@ordinator/model/access'
import { Appeal, AppealLink, type AppealSource } from '@ordinator/model/areas/appeals/appeal'
import { appealCalls } from '@ordinator/model/areas/appeals/calls'
import type { OutcomeKind } from '@ordinator/model/areas/appeals/outcome'
import { Call } from '@ordinator/model/areas/calls/call'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Contact } from '@ordinator/model/areas/sales/contact'
import { Lead, LeadLink } from '@ordinator/model/areas/sales/lead'
import type { Create, Row } from '@ordinator/model/entity'
import { phoneText } from '@ordinator/model/phone'
import sql, { raw } from 'sql-template-tag'
import { firstStage, namesOf } from '#areas/sales/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { taskFrom } from '#areas/tasks/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'

/** Maximum number of characters of a deal's title from an appeal. */
const TITLE = 120

/** The appeal of a call or a chat; created if missing. */
async function appealOf(
  inner: Records,
  tx: Tx,
  source: AppealSource,
  id: number,
  more: Partial<Create<typeof Appeal>> = {},
): Promise<Row<typeof Appeal>> {
  await inner.row(source === 'call' ? Call : LiveAssist, id)
  // Serialized: concurrent clicks create one.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`appeal ${source} ${id}`}, 0))`)
  const there = await tx.one<{ id: number }>(sql`select "id" from appeals
    where "entityType" = ${source} and "idEntity" = ${id} and not "deleted"`)
  if (there) {
    const appeal = await inner.row(Appeal, there.id)
    // A requested appeal opens an existing draft.
    return appeal.status === 'draft' && more.status !== 'draft'
      ? inner.update(Appeal, appeal.id, { status: 'open' })
      : appeal
  }
  return inner.create(Appeal, { entityType: source, idEntity: id, ...more })
}

export const ofCall = operation(appealCalls.ofCall, ({ records, params: { id } }) =>
  records.tx((inner, tx) => appealOf(inner, tx, 'call', id)),
)
export const ofChat = operation(appealCalls.ofChat, ({ records, params: { id } }) =>
  records.tx((inner, tx) => appealOf(inner, tx, 'live-assist', id)),
)

/**
 * Creates an appeal for a conversation that ended with a complaint, whatever the operator's rights; takes it back when
 * the outcome is corrected.
 */
export async function appealOfComplaint(
  system: Records,
  tx: Tx,
  { source, id, idOutcome, idBefore }: Talk & { idOutcome: number | null; idBefore: number | null },
): Promise<void> {
  const isComplaint = async (outcome: number | null): Promise<boolean> =>
    outcome !== null &&
    (await tx.one(
      sql`select 1 from appeals_outcomes where "id" = ${outcome} and "kind" = ${'complaint' satisfies OutcomeKind}`,
    )) !== undefined
  if (await isComplaint(idOutcome)) await appealOf(system, tx, source, id)
  else if (await isComplaint(idBefore)) await takeBackAppeal(system, tx, { source, id }, 'open')
}

interface Talk {
  source: AppealSource
  id: number
}

/** Removes an appeal that a state of its conversation created, while nobody has written anything in it. */
export async function takeBackAppeal(
  system: Records,
  tx: Tx,
  { source, id }: Talk,
  status: 'draft' | 'open',
): Promise<void> {
  const untouched = await tx.one<{ id: number }>(sql`select a."id"::int as id from appeals a
    where a."entityType" = ${source} and a."idEntity" = ${id} and a."status" = ${status} and a."_version" = 1
      and not a."deleted" and a."idCause" is null and coalesce(a."description", '') = ''
      and not exists (select from appeal_links l where l."idAppeal" = a."id")`)
  if (untouched) await system.remove(Appeal, untouched.id)
}

/** Creates a draft appeal for a finished conversation, if the clinic requires one. @param idOwner the participant */
export async function draftOf(
  system: Records,
  tx: Tx,
  source: AppealSource,
  id: number,
  idOwner: number | null,
): Promise<void> {
  if (!(await readCommonSettings(tx)).appealDrafts) return
  // A dropped draft is not created again; training conversations create none.
  const isDue = await tx.one(sql`select 1 from ${raw(source === 'call' ? 'calls' : 'live_assist')} t
    where t."id" = ${id} and not t."training"
      and not exists (select from appeals where "entityType" = ${source} and "idEntity" = ${id})`)
  if (isDue) await appealOf(system, tx, source, id, { status: 'draft', idOwner, ...({ idUser: idOwner } as object) })
}

export const makeLead = operation(appealCalls.makeLead, ({ records, params: { id } }) =>
  records.tx(async (inner, tx) => {
    const appeal = await inner.row(Appeal, id)
    const idStage = await firstStage(tx)
    if (!idStage) throw new HttpError(409, 'Сначала настройте воронку: новым сделкам некуда попасть')
    const who = appeal.customerFullName ?? phoneText(appeal.customerPhone)
    const phone =
      appeal.customerPhone ?? (can(inner.actor, 'view', Customer) ? await phoneOf(tx, appeal.idCustomer) : null)
    const about = appeal.description?.split('\n')[0]?.slice(0, TITLE)
    const lead = await inner.create(Lead, {
      title: [who, about].filter(Boolean).join(': ') || `Обращение № ${id}`,
      idStage,
    })
    if (who)
      await inner.create(Contact, {
        idLead: lead.id,
        ...(appeal.customerFullName ? namesOf(appeal.customerFullName) : { name: 'Без имени' }),
        ...(phone && { phone }),
        ...(appeal.idCustomer && { idCustomer: appeal.idCustomer }),
      })
    if (appeal.entityType && appeal.idEntity)
      await inner.create(LeadLink, {
        idLead: lead.id,
        type: appeal.entityType === 'call' ? 'call' : 'liveassist',
        idEntity: appeal.idEntity,
      })
    await inner.create(AppealLink, { idAppeal: id, entityType: 'leads', idEntity: lead.id })
    return { id: lead.id, idFunnel: lead.idFunnel as number }
  }),
)

/** Phone of a patient with an unrestricted card. */
const phoneOf = async (tx: Queryable, idCustomer: number | null): Promise<string | null> =>
  (
    await tx.one<{ phone: string | null }>(
      sql`select "phone" from customers where "id" = ${idCustomer} and "secretLevel" = 'none'`,
    )
  )?.phone ?? null

export const makeTask = operation(appealCalls.makeTask, ({ records, params: { id }, body }) =>
  records.tx(async (inner) => {
    await inner.row(Appeal, id)
    const idTask = await taskFrom(inner, body)
    await inner.create(AppealLink, { idAppeal: id, entityType: 'tasks', idEntity: idTask })
    return { id: idTask }
  }),
)
