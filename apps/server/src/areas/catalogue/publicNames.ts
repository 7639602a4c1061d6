/** Names of services in words of patients: the list, and the starter dictionary. */
import { catalogueCalls } from '@ordinator/model/areas/catalogue/calls'
import { plainName } from '@ordinator/model/areas/catalogue/publicNames'
import { Service } from '@ordinator/model/areas/catalogue/service'
import sql, { raw } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { operation } from '#records/operation.ts'
import { publicService } from './shown.ts'

const MOST = 3_000

interface Named {
  id: number
  name: string
  code: string | null
  group: string | null
  publicName: string | null
}

const shown = (db: Queryable): Promise<Named[]> =>
  db.query<Named>(sql`
    select s."id"::int as id, s."nameService" as name, s."medicalCode" as code, g."nameServiceGroup" as "group",
      nullif(s."publicName", '') as "publicName"
    from services s left join services_groups g on g."id" = s."idGroup" and not g."deleted"
    where ${publicService(raw('s'))} order by g."order" nulls last, g."id", s."nameService", s."id" limit ${MOST}`)

const list = operation(catalogueCalls.publicNames, async ({ app }) => ({
  items: (await shown(app.db.reads)).map(({ code, ...one }) => ({
    ...one,
    offered: plainName({ name: one.name, code }) ?? null,
  })),
}))

const fill = operation(catalogueCalls.fillPublicNames, ({ records }) =>
  records.tx(async (inside, tx) => {
    let filled = 0
    for (const { id, name, code, publicName } of await shown(tx)) {
      const offered = publicName === null ? plainName({ name, code }) : undefined
      if (offered === undefined) continue
      await inside.update(Service, id, { publicName: offered })
      filled++
    }
    return { filled }
  }),
)

export const publicNameCalls = [list, fill]
