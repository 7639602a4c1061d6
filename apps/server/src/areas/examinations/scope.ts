/** Who sees which templates and examinations, as SQL for the engine. */
import sql, { raw } from 'sql-template-tag'
import { ofOpenCard } from '#areas/customers/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { RowCondition, Scope } from '#records/define.ts'

/** Templates: the own ones, and those that are shared; whoever sees foreign ones sees all, and may change what he may change at all. */
export const templateScope: Scope = {
  unless: 'viewForeignExaminationTemplates',
  view: ({ row, me }) => sql`(${row}."isShared" or ${row}."idUser" = ${me})`,
  update: ({ row, me }) => sql`${row}."idUser" = ${me}`,
}

/**
 * A draft is of whoever fills it in; others see it by right. What is finished is for all who see examinations, of a card
 * that is opened for a reason alone after one was given.
 */
export const seesExamination: RowCondition = ({
  row,
  me,
}) => sql`((${row}."status" <> 'draft' or ${row}."idUser" = ${me}
  or (select ${holdsSql(me, 'foreignExaminationDrafts')})) and ${ofOpenCard({ row, me })})`

const ownDraft: RowCondition = ({ row, me }) => sql`(${row}."status" = 'draft' and (${row}."idUser" = ${me}
  or (select ${holdsSql(me, 'foreignExaminationDrafts')})) and ${ofOpenCard({ row, me })})`

export const examinationScope: Scope = { view: seesExamination, create: ownDraft, update: ownDraft, delete: ownDraft }

/** A file: of whoever sent it, and of whoever sees an examination that it hangs at. */
export const fileScope: Pick<Scope, 'view'> = {
  view: ({ row, me }) => sql`(${row}."idUser" = ${me} or exists (select from examinations_files held
    join examinations exam on exam."id" = held."idExamination"
    where held."idFile" = ${row}."id" and not held."deleted" and not exam."deleted" and ${seesExamination({ row: raw('exam'), me })}))`,
}
