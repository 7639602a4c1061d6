/** Scopes of templates and examinations, as SQL for the engine. */
import sql, { raw } from 'sql-template-tag'
import { ofOpenCard } from '#areas/customers/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { RowCondition, Scope } from '#records/define.ts'

/** Templates: own and shared ones; with the right to others' templates all, editable with the right to edit. */
export const templateScope: Scope = {
  unless: 'viewForeignExaminationTemplates',
  view: ({ row, me }) => sql`(${row}."isShared" or ${row}."idUser" = ${me})`,
  update: ({ row, me }) => sql`${row}."idUser" = ${me}`,
}

/**
 * A draft is visible to its doctor; to others with a right. A finished one with the right to examinations, for a
 * restricted card after a reason was given.
 */
export const seesExamination: RowCondition = ({
  row,
  me,
}) => sql`((${row}."status" <> 'draft' or ${row}."idUser" = ${me}
  or (select ${holdsSql(me, 'foreignExaminationDrafts')})) and ${ofOpenCard({ row, me })})`

const ownDraft: RowCondition = ({ row, me }) => sql`(${row}."status" = 'draft' and (${row}."idUser" = ${me}
  or (select ${holdsSql(me, 'foreignExaminationDrafts')})) and ${ofOpenCard({ row, me })})`

export const examinationScope: Scope = { view: seesExamination, create: ownDraft, update: ownDraft, delete: ownDraft }

/** A file: visible to its author, and with an examination it is attached to. */
export const fileScope: Pick<Scope, 'view'> = {
  view: ({ row, me }) => sql`(${row}."idUser" = ${me} or exists (select from examinations_files held
    join examinations exam on exam."id" = held."idExamination"
    where held."idFile" = ${row}."id" and not held."deleted" and not exam."deleted" and ${seesExamination({ row: raw('exam'), me })}))`,
}
