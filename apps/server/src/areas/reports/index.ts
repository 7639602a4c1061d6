import { reportCatalogueCalls } from '@ordinator/model/areas/reports/calls'
import { pageByKey, pageRefusal } from '@ordinator/model/pages'
import { reports as declared } from '@ordinator/model/reports'
import type { Area } from '#records/area.ts'
import type { CountedCall } from '#records/countedCall.ts'
import { type Operation, operation } from '#records/operation.ts'
import type { PageCount } from '#records/pageCount.ts'
import { demoWithoutYears, startDemoYears } from './demoYears.ts'
import { mailNow, reportMailings, reportSendings, startMailings } from './mailings.ts'
import { reportOperations } from './operations.ts'
import { recount, rollups, startRollups } from './rollups.ts'
import { cancelRun, countPage, reportCounts, reportRuns, runFigures, runFile, startRun, startSweep } from './runs.ts'
import { widgetFigures } from './widgets.ts'

export { readMeasures } from './figures.ts'
export { rollUp } from './rollups.ts'
export { countPage } from './runs.ts'

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

const isCall = (count: PageCount<never>): count is CountedCall => 'call' in count

const countedOperation = ({ call, asked: read, empty, ...count }: CountedCall): Operation => ({
  ...call,
  async handler(context) {
    const given = Object.entries(await read(context)).filter(([, value]) => value !== undefined)
    const asked = Object.fromEntries(given)
    const { figures, run } = await countPage(context.app, context.actor, count, asked)
    return figures ?? { ...empty(asked), run }
  },
})

/** Adds the calls of its reports and of its counted pages to an area. */
export const withReports = (area: Area): Area => {
  const { reports: own = [], counts = [] } = area
  const derived = [...own.flatMap(reportOperations), ...counts.filter(isCall).map(countedOperation)]
  return derived.length ? { ...area, operations: [...(area.operations ?? []), ...derived] } : area
}
