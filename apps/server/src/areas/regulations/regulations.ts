import { Regulation, RegulationAudience, RegulationReviewer } from '@ordinator/model/areas/regulations/regulation'
import sql from 'sql-template-tag'
import { records } from '../../records/define.ts'
import { regulationScope } from './scope.ts'

export const regulationRecords = records(Regulation, {
  scope: regulationScope,
  computed: {
    role: ({ row }) => sql`(select o."name" from roles o where o."id" = ${row}."idRole")`,
    stagesCount: ({ row }) =>
      sql`(select count(*)::int from regulations_steps s where s."idRegulation" = ${row}."id" and not s."deleted")`,
    timeEstimate: ({ row }) =>
      sql`(select coalesce(sum(s."timeEstimate"), 0)::int from regulations_steps s where s."idRegulation" = ${row}."id" and not s."deleted")`,
    hasTest: ({ row }) => sql`coalesce(jsonb_array_length(${row}."test"->'questions'), 0)`,
    readsTotalCount: ({ row }) =>
      sql`(select count(*)::int from regulations_reads d where d."idRegulation" = ${row}."id" and not d."deleted")`,
    readsDoneCount: ({ row }) =>
      sql`(select count(*)::int from regulations_reads d where d."idRegulation" = ${row}."id" and not d."deleted" and d."dateRead" is not null)`,
    violationsCount: ({ row }) =>
      sql`(select count(*)::int from regulations_violations v where v."idRegulation" = ${row}."id" and not v."deleted")`,
  },
})

export const reviewers = records(RegulationReviewer)
export const audience = records(RegulationAudience)
