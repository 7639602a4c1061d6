/** What may change of a regulation, and when: its content while it is a draft, the rest until it is in the archive. */
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { isDraft, type RegulationStatus, whyFixed } from '@ordinator/model/areas/regulations/status'
import type { Entity, Row, Update } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { Hooks, WriteContext } from '#records/define.ts'
import { changesOf } from '#records/write.ts'

/** What a reader reads and is asked about. The steps belong to it, with all their parts. */
const content: ReadonlySet<string> = new Set([
  'name',
  'description',
  'type',
  'idRole',
  'idResponsibleUser',
  'test',
  'passScore',
])
/** What may change of one in force: how it is read and looked through again. */
const terms: ReadonlySet<string> = new Set(['reviewMonths', 'readDays', 'dateEffective'])

/** @throws HttpError 409 when a field changes that is fixed in this status */
export function refuseChange(value: Update<typeof Regulation>, before: Row<typeof Regulation>): void {
  const { status } = before
  if (isDraft(status)) return
  const changed = Object.keys(changesOf(Regulation, before, value))
  if (changed.some((field) => content.has(field) || (status === 'archived' && terms.has(field)))) throw fixed(status)
}

/**
 * The hooks of what makes up the content: a step, or a part of one. Only those of a draft are written, and each write
 * is a change of the regulation too.
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

/** The hooks of what stands beside the content: it changes until the regulation is in the archive. */
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

/** Holds the regulation, so that its status does not change before the write is over. */
async function lockedStatus(tx: Tx, id: Sql): Promise<RegulationStatus | undefined> {
  const found = await tx.one<{ status: RegulationStatus }>(
    sql`select "status" from regulations where "id" = ${id} for no key update`,
  )
  return found?.status
}

const fixed = (status: RegulationStatus): HttpError =>
  new HttpError(409, status === 'template' ? '' : whyFixed[status], { code: 'notDraft' })

/** Regulations that this transaction has marked as changed. */
const touched = new WeakMap<Tx, Set<number>>()

/** A regulation changes with its steps: once in a transaction, however many of them are written. */
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
