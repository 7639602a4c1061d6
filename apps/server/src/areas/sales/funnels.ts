import {
  Funnel,
  FunnelScript,
  FunnelStageType,
  Stage,
  StageAction,
  stageTypes,
} from '@ordinator/model/areas/sales/funnel'
import sql, { join } from 'sql-template-tag'
import { records } from '../../records/define.ts'

const nameOfType = join(
  Object.entries(stageTypes).map(([id, name]) => sql`when ${Number(id)} then ${name}`),
  ' ',
)

export const stageType = records(FunnelStageType)

export const funnels = records(Funnel, {
  computed: {
    leadsCount: ({ row }) => sql`(select count(*)::int from sales_management_leads fl
      join sales_management_stages fs on fs."id" = fl."idStage" where fs."idFunnel" = ${row}."id" and not fl."deleted")`,
  },
})

export const stages = records(Stage, {
  computed: { nameType: ({ row }) => sql`(case ${row}."idType" ${nameOfType} end)::text` },
})

export const stageActions = records(StageAction)
export const funnelScripts = records(FunnelScript)
