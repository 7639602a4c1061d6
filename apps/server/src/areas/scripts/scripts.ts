import { scriptCalls } from '@ordinator/model/areas/scripts/calls'
import { OldScript, ScriptGroup } from '@ordinator/model/areas/scripts/script'
import sql from 'sql-template-tag'
import { HttpError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import { refuseCircle } from '#records/tree.ts'
import { funnelsWith, stepsWith } from './uses.ts'

export const groups = records(ScriptGroup, {
  hooks: {
    beforeUpdate: ({ tx }, value, before) =>
      refuseCircle(tx, ScriptGroup, 'idParentGroup', before.id, value.idParentGroup),
    async beforeDelete({ tx }, { id }) {
      const inside = await tx.one(sql`
        select 1 from old_scripts where "idGroup" = ${id} and not "deleted"
        union all select 1 from script_groups where "idParentGroup" = ${id} and not "deleted" limit 1`)
      if (inside) throw new HttpError(409, 'В группе есть скрипты или группы', { code: 'notEmpty' })
    },
  },
})

export const scriptRecords = records(OldScript, {
  found: { on: 'script', group: 'Скрипты', by: ['name'], opens: ({ row }) => sql`'/scripts/' || ${row}."id"` },
  computed: {
    stepsCount: ({ row }) => sql`coalesce(jsonb_array_length(${row}."params" -> 'steps'), 0)`,
    funnelsCount: ({ row }) => sql`(select count(*)::int ${funnelsWith(sql`${row}."id"`)})`,
    regulationStepsCount: ({ row }) => sql`(select count(*)::int ${stepsWith(sql`${row}."id"`)})`,
  },
})

/** Counts for the tree: one query for all groups, whatever the number of scripts. */
export const scriptCounts = operation(scriptCalls.counts, ({ app }) =>
  app.db.query(sql`
      select "idGroup", count(*)::int as count from old_scripts where not "deleted"
      group by "idGroup" order by "idGroup"`),
)
