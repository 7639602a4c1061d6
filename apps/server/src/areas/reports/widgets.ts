/** Figures of the dashboard's blocks: each is a report with its own period, with the user's rights. */
import { reportCatalogueCalls } from '@ordinator/model/areas/reports/calls'
import { type ReportWidget, type ReportWidgetKey, reportWidgets } from '@ordinator/model/areas/reports/widgets'
import { pageByKey, pageRefusal } from '@ordinator/model/pages'
import type { ReportFigures } from '@ordinator/model/reportCalls'
import { presetPeriod } from '@ordinator/model/reportPeriod'
import { dayIn } from '@ordinator/model/zone'
import { isTimeout } from '#platform/db.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { ReportSource } from '#records/reports/source.ts'
import { readFigures, readingOf } from './figures.ts'
import { branchRefusal, filterOf } from './query.ts'

/** The facts of a report from any area. */
export const sourceOf = ({ areas }: Pick<AppContext, 'areas'>, key: string): ReportSource | undefined =>
  areas.flatMap(({ reports = [] }) => reports).find(({ report }) => report.key === key)

export const widgetFigures = operation(reportCatalogueCalls.widgets, async ({ app, actor, query }) => ({
  items: await Promise.all(
    [...new Set(query.keys.split(',') as ReportWidgetKey[])].map(async (key) => ({
      key,
      ...(await figuresOf(app, actor, reportWidgets[key])),
    })),
  ),
}))

async function figuresOf(
  app: AppContext,
  actor: ServerActor,
  { report: key, period, by = [], compare }: ReportWidget,
): Promise<{ figures: ReportFigures | null; refusal: string | null }> {
  const refused = (refusal: string) => ({ figures: null, refusal })
  const source = sourceOf(app, key)
  if (!source) return refused('Этого отчёта больше нет')
  if (pageRefusal(pageByKey(source.report.page), actor)) return refused('Нет прав на этот отчёт')
  const ofAll = branchRefusal(source.report, actor)
  if (ofAll) return refused(ofAll)
  const filter = filterOf(source.report, { ...presetPeriod(period, dayIn(actor.timeZone, Date.now())) }, actor)
  const reading = readingOf(app, actor)
  try {
    return { figures: await readFigures(reading, source, filter, by, compare), refusal: null }
  } catch (error) {
    if (!isTimeout(error)) throw error
    return refused('Считается слишком долго: откройте отчёт и сузьте период')
  }
}
