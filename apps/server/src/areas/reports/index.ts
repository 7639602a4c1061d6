import { reportCatalogueCalls } from '@ordinator/model/areas/reports/calls'
import { pageByKey, pageRefusal } from '@ordinator/model/pages'
import { reports as declared } from '@ordinator/model/reports'
import type { Area } from '../../records/area.ts'
import { operation } from '../../records/operation.ts'
import { reportOperations } from './operations.ts'

const catalogue = operation(reportCatalogueCalls.catalogue, ({ actor }) => ({
  items: declared
    .filter(({ page }) => !pageRefusal(pageByKey(page), actor))
    .map(({ key, title, help, group }) => ({ key, title, help, group })),
}))

/** Reports: the calls of every report that an area declares, the catalogue of them. */
export const reports: Area = {
  name: 'reports',
  title: 'Отчёты',
  records: [],
  operations: [catalogue],
}

/** An area with the calls of its reports. */
export const withReports = (area: Area): Area =>
  area.reports ? { ...area, operations: [...(area.operations ?? []), ...area.reports.flatMap(reportOperations)] } : area
