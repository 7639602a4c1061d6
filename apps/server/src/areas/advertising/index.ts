import {
  AdCampaign,
  AdConversion,
  AdCost,
  AdCreative,
  AdNumber,
  AdTouch,
} from '@ordinator/model/areas/advertising/campaign'
import sql from 'sql-template-tag'
import { ValidationError } from '#platform/errors.ts'
import type { Area } from '#records/area.ts'
import { records } from '#records/define.ts'
import { collect, startCollecting } from './collect.ts'
import { importCosts } from './costs.ts'
import { demo } from './demo.ts'
import { checks, report } from './report.ts'
import { advertisingReports } from './reports.ts'

const campaigns = records(AdCampaign, {
  found: {
    on: 'advertising',
    group: 'Рекламные кампании',
    by: ['name', 'utmCampaign'],
    opens: ({ row }) => sql`'/advertising/campaigns/' || ${row}."id"`,
  },
  computed: {
    spent: ({ row }) => sql`coalesce((select sum(c."cost") from advertising_costs c
      where c."idCampaign" = ${row}."id" and not c."deleted"), 0)::numeric(14,2)`,
    // The same rules as `lawChecks` of the model, which has their messages.
    warnings: ({ row }) => sql`(select count(*)::int from advertising_creatives m
      where m."idCampaign" = ${row}."id" and not m."deleted"
        and (coalesce(m."text", '') !~* 'противопоказани|необходима\\s+консультация|проконсультируйтесь|консультаци[яию]\\s+специалист'
          or (m."isOnline" and coalesce(trim(m."erid"), '') = '' and coalesce(trim(${row}."erid"), '') = '')))`,
  },
  hooks: {
    prepare(value, before) {
      const { dateFrom, dateTo } = { ...before, ...value }
      if (dateFrom && dateTo && dateTo < dateFrom)
        throw new ValidationError([{ field: 'dateTo', message: 'Последний день раньше первого' }])
    },
  },
})

/** Advertising campaigns, their costs and results. */
export const advertising: Area = {
  name: 'advertising',
  title: 'Реклама',
  records: [
    campaigns,
    records(AdNumber),
    records(AdCreative),
    records(AdCost),
    records(AdTouch),
    records(AdConversion),
  ],
  operations: [report, checks, importCosts, collect],
  reports: advertisingReports,
  demo,
  start: startCollecting,
}
