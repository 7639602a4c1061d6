/** Allowed changes of a regulation by status: its content while it is a draft, the rest until it is archived. */
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { isDraft, type RegulationStatus, whyFixed } from '@ordinator/model/areas/regulations/status'
import type { Entity, Row, Update } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { Hooks, WriteContext } from '#records/define.ts'
import { changesOf } from '#records/write.ts'

/** Content read and tested by users. Includes the steps with all their parts. */
const content: ReadonlySet<string> = new Set([
  'name',
  'description',
  'type',
  'idRole',
  'idResponsibleUser',
  'test',
  'passScore',
])
/** Fields of a version in force that may change: terms of reading and review. */
const terms: ReadonlySet<string> = new Set(['reviewMonths', 'readDays', 'dateEffective'])

/** @throws HttpError 409 when a changed field is fixed in this status */
export function refuseChange(value: Update<typeof Regulation>, before: Row<typeof Regulation>): void {
  const { status } = before
  if (isDraft(status)) return
  const changed = Object.keys(changesOf(Regulation, before, value))
  if (changed.some((field) => content.has(field) || (status === 'archived' && terms.has(field)))) throw fixed(status)
}

/**
 * Hooks of content records: a step, or a part of one. They are writable only in a draft, and each write also changes
 * the regulation.
 * @param idRegulation of a body or a row, as SQL
 */
export function contentHooks<E extends Entity>(
  entity: E,
  idRegulation: (value: Record<string, unknown>) => Sql,
): Required<
  Pick<
    Hooks<E>,
    'beforeCreate' | 'afterCreate' | 'beforeUpdate' | 'afterUpdate' | 'beforeDelete' | 'afterDelete' | 'afterRestore'
  >
> {
  const of = (value: unknown) => idRegulation(value as Record<string, unknown>)
  const check = ({ tx }: WriteContext, value: unknown) => mustBeDraft(tx, of(value))
  const note = (context: WriteContext, value: unknown) => touch(context, of(value))
  return {
    beforeCreate: check,
    async beforeUpdate(context, value, before) {
      if (Object.keys(changesOf(entity, before, value)).length) await check(context, before)
    },
    beforeDelete: check,
    afterCreate: note,
    afterUpdate: note,
    afterDelete: note,
    async afterRestore(context, row) {
      await check(context, row)
      await note(context, row)
    },
  }
}

/** Hooks of records beside the content: writable until the regulation is archived. */
export const termHooks: Pick<Hooks<Entity>, 'beforeCreate' | 'beforeDelete'> = {
  beforeCreate: ({ tx }, value) => mustNotBeArchived(tx, value),
  beforeDelete: ({ tx }, row) => mustNotBeArchived(tx, row),
}

async function mustNotBeArchived(tx: Tx, value: unknown): Promise<void> {
  const { idRegulation } = value as { idRegulation: number }
  const status = await lockedStatus(tx, sql`${idRegulation}::bigint`)
  if (status === 'archived') throw fixed(status)
}

async function mustBeDraft(tx: Tx, id: Sql): Promise<void> {
  const status = await lockedStatus(tx, id)
  if (status && !isDraft(status)) throw fixed(status)
}

/** Locks the regulation, so that its status does not change during the write. */
async function lockedStatus(tx: Tx, id: Sql): Promise<RegulationStatus | undefined> {
  const found = await tx.one<{ status: RegulationStatus }>(
    sql`select "status" from regulations where "id" = ${id} for no key update`,
  )
  return found?.status
}

const fixed = (status: RegulationStatus): HttpError =>
  new HttpError(409, status === 'template' ? '' : whyFixed[status], { code: 'notDraft' })

/** Regulations marked as changed by this transaction. */
const touched = new WeakMap<Tx, Set<number>>()

/** Marks the regulation as changed, once per transaction for any number of steps. */
async function touch({ records, tx }: WriteContext, id: Sql): Promise<void> {
  const found = await tx.one<{ id: number }>(sql`select ${id} as id`)
  const done = touched.get(tx) ?? new Set()
  if (!found?.id || done.has(found.id)) return
  touched.set(tx, done.add(found.id))
  await records.asSystem.updateWhere(
    Regulation,
    ({ row }) => sql`${row}."id" = ${found.id}`,
    { updated_at: raw('clock_timestamp()') },
    { pastHooks: 'the hook of its part has asked' },
  )
}
