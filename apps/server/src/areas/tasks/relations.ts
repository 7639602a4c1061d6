import { Relation, Resource } from '@ordinator/model/areas/tasks/board'
import sql from 'sql-template-tag'
import { records } from '../../records/define.ts'

export const relations = records(Relation, {
  computed: {
    nameRelationBoard: ({ row }) =>
      sql`(select rb."name" from tasks_management_boards rb where rb."id" = ${row}."idRelationBoard" and not rb."deleted")`,
    nameColumn: ({ row }) =>
      sql`(select rc."name" from tasks_management_columns rc where rc."id" = ${row}."idColumn" and not rc."deleted")`,
  },
})

export const resources = records(Resource)
