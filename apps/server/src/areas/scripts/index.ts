import { OldScript, ScriptGroup } from '@ordinator/model/areas/scripts/script'
import sql from 'sql-template-tag'
import { HttpError } from '../../platform/errors.ts'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'
import { refuseCircle } from '../../records/tree.ts'
import { demo } from './demo.ts'

const groups = records(ScriptGroup, {
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

/** Scripts of conversations. */
export const scripts: Area = { name: 'scripts', records: [groups, records(OldScript)], demo }
