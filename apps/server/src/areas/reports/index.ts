import { reportCatalogueCalls } from '@ordinator/model/areas/reports/calls'
import { pageByKey, pageRefusal } from '@ordinator/model/pages'
import { reports as declared } from '@ordinator/model/reports'
import type { Area } from '#records/area.ts'
import { operation } from '#records/operation.ts'
import { demoWithoutYears, startDemoYears } from './demoYears.ts'
import { mailNow, reportMailings, reportSendings, startMailings } from './mailings.ts'
import { reportOperations } from './operations.ts'
import { recount, rollups, startRollups } from './rollups.ts'
import { cancelRun, reportCounts, reportRuns, runFigures, runFile, startRun, startSweep } from './runs.ts'
import { widgetFigures } from './widgets.ts'

export { readMeasures } from './figures.ts'
export { rollUp } from './rollups.ts'
export { continueInBackground } from './runs.ts'

const catalogue = operation(reportCatalogueCalls.catalogue, ({ actor }) => ({
  items: declared
    .filter(({ page }) => !pageRefusal(pageByKey(page), actor))
    .map(({ key, title, help, group }) => ({ key, title, help, group })),
}))

/** Reports: the calls of every report declared by an area, and their catalogue. */
export const reports: Area = {
  name: 'reports',
  title: 'Отчёты',
  records: [reportMailings, reportSendings, reportRuns],
  operations: [catalogue, widgetFigures, startRun, cancelRun, runFigures, runFile, rollups, recount, mailNow],
  runs: [reportCounts],
  demo: demoWithoutYears,
  start(app) {
    startMailings(app)
    startSweep(app)
    startRollups(app)
    startDemoYears(app)
  },
}

/** Adds the calls of its reports to an area. */
export const withReports = (area: Area): Area =>
  area.reports ? { ...area, operations: [...(area.operations ?? []), ...area.reports.flatMap(reportOperations)] } : area
