import { Regulation, RegulationAudience, RegulationReviewer } from '@ordinator/model/areas/regulations/regulation'
import sql from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { count, records } from '#records/define.ts'
import { refuseChange, termHooks } from './changes.ts'
import { assignReads } from './duties.ts'
import { familySql, regulationScope } from './scope.ts'

export const regulationRecords = records(Regulation, {
  found: {
    on: 'regulations',
    group: 'Регламенты',
    by: ['name'],
    opens: ({ row }) => sql`'/regulations?id=' || ${row}."id"`,
    hint: ({ row }) => sql`${row}."type"`,
  },
  scope: regulationScope,
  computed: {
    role: ({ row }) => sql`(select o."name" from roles o where o."id" = ${row}."idRole")`,
    isSuperseded: ({ row }) => sql`(${row}."status" = 'archived' and exists (
      select 1 from regulations n where ${familySql(sql`n`)} = ${familySql(row)} and n."version" > ${row}."version"
      and n."status" <> 'archived' and not n."deleted"))`,
    stagesCount: count('stages'),
    timeEstimate: ({ row }) =>
      sql`(select coalesce(sum(s."timeEstimate"), 0)::int from regulations_steps s where s."idRegulation" = ${row}."id" and not s."deleted")`,
    hasTest: ({ row }) => sql`coalesce(jsonb_array_length(${row}."test"->'questions'), 0)`,
    readsTotalCount: count('reads', { whoever: true }),
    readsDoneCount: count('reads', { whoever: true, where: ({ row }) => sql`${row}."dateRead" is not null` }),
    violationsCount: count('violations', { whoever: true }),
  },
  hooks: {
    async beforeUpdate({ tx }, value, before) {
      refuseChange(value, before)
      if (before.status === 'active' && value.reviewMonths !== undefined && value.reviewMonths !== before.reviewMonths)
        Object.assign(value, { dateReview: await reviewDay(tx, before.dateActive, value.reviewMonths) })
    },
  },
})

export const reviewers = records(RegulationReviewer, { hooks: termHooks })
export const audience = records(RegulationAudience, {
  hooks: {
    ...termHooks,
    afterCreate: (context, { idRegulation }) => assignReads(context, idRegulation),
    afterDelete: (context, { idRegulation }) => assignReads(context, idRegulation),
  },
})

/** The day of the next review of a version in force since `since`; null: never. */
export async function reviewDay(tx: Tx, since: string | null, months: number): Promise<string | null> {
  if (months === 0) return null
  const found = await tx.one<{ day: string }>(sql`
    select ((coalesce(${since}::timestamptz, now()) at time zone ${clinicZone})::date
      + make_interval(months => ${months}))::date::text as day`)
  return found?.day ?? null
}
