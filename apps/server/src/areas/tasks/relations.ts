import { BoardRelation, BoardResource } from '@ordinator/model/areas/tasks/board'
import { maySeeContent, type Standing } from '@ordinator/model/areas/tasks/rights'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { ValidationError } from '#platform/errors.ts'
import { records, type WriteContext } from '#records/define.ts'
import { missing } from '#records/reference.ts'
import { insideScope } from './scope.ts'
import { standingOn } from './standing.ts'

/** Created by editors of this workspace who may move tasks into the other one. */
export const relations = records(BoardRelation, {
  scope: insideScope,
  computed: {
    nameRelationBoard: ({ row }) =>
      sql`(select rb."name" from tasks_management_boards rb where rb."id" = ${row}."idRelationBoard" and not rb."deleted")`,
    nameColumn: ({ row }) =>
      sql`(select rc."name" from tasks_management_columns rc where rc."id" = ${row}."idColumn" and not rc."deleted")`,
  },
  hooks: {
    async beforeCreate(context, value) {
      if (value.idBoard === value.idRelationBoard)
        throw refuse('idRelationBoard', 'Пространство нельзя связать с самим собой')
      const there = await standingOn(context.tx, context.actor, value.idRelationBoard, 'idRelationBoard')
      // An invisible workspace gets the same error as a missing one.
      if (!maySeeContent(there)) throw missing('idRelationBoard')
      if (!mayTakeThere(there))
        throw refuse('idRelationBoard', 'В этом пространстве у вас нет права переносить задачи между пространствами')
      await checkColumn(context, value.idColumn, value.idRelationBoard)
    },
    beforeUpdate: (context, value, before) => checkColumn(context, value.idColumn, before.idRelationBoard),
  },
})

const mayTakeThere = (there: Standing): boolean =>
  there.isOwner || there.bypass || there.member?.canRelationBoard === true

/** The target column of moved tasks must be active and of the other workspace. */
async function checkColumn({ tx }: WriteContext, idColumn: number | null | undefined, idBoard: number): Promise<void> {
  if (!idColumn) return
  const found = await tx.one(sql`select 1 from tasks_management_columns
    where "id" = ${idColumn} and "idBoard" = ${idBoard} and not "deleted"`)
  if (!found) throw refuse('idColumn', 'Колонка должна быть из связанного пространства')
}

type ResourceTarget = Partial<Pick<Row<typeof BoardResource>, 'url' | 'idFile'>>

export const resources = records(BoardResource, {
  scope: insideScope,
  hooks: {
    prepare(value: ResourceTarget, before) {
      const { url, idFile } = { ...before, ...value }
      if (!url && !idFile) throw refuse('url', 'Укажите ссылку или выберите файл')
      if (url && idFile) throw refuse('url', 'Материал — либо ссылка, либо файл')
    },
  },
})

const refuse = (field: string, message: string) => new ValidationError([{ field, message }])
