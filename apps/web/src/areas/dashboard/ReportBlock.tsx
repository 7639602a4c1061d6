import { type ReportWidget, type ReportWidgetKey, reportWidgets } from '@ordinator/model/areas/reports/widgets'
import type { ReportFigures } from '@ordinator/model/reportCalls'
import { groupText, measureText } from '@ordinator/model/reportText'
import { Change } from '#areas/reports/index.ts'
import { PageLink } from '#base/PageLink.tsx'
import { reportAt } from '#base/reports.ts'
import { Counted } from '#kit/Counted.tsx'
import type { Load } from '#kit/FailedLoad.tsx'
import { Picture } from '#kit/Picture.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { WidgetCard } from '#kit/WidgetCard.tsx'
import classes from './DashboardPage.module.css'
import type { WidgetAnswer } from './useWidgetFigures.ts'

interface Props {
  widgetKey: ReportWidgetKey
  /** undefined while loading. */
  answer: WidgetAnswer | undefined
  load: Load
  onRefresh: () => void
}

/** A block with figures of a report, linked to the report with the same parameters. */
export function ReportBlock({ widgetKey, answer, load, onRefresh }: Props) {
  const widget: ReportWidget = reportWidgets[widgetKey]
  if (!answer)
    return (
      <WidgetCard title={widget.title} busy={!load.isError} load={load}>
        <LinesSkeleton lines={3} />
      </WidgetCard>
    )
  if (!answer.figures)
    return (
      <WidgetCard title={widget.title}>
        <p>{answer.refusal ?? 'Не удалось посчитать'}</p>
        <Counted of={widget.title} busy={load.isFetching} onRefresh={onRefresh} />
      </WidgetCard>
    )
  return (
    <WidgetCard title={widget.title}>
      <Figures widget={widget} figures={answer.figures} />
      <Counted of={widget.title} at={answer.figures.counted} onRefresh={onRefresh} />
    </WidgetCard>
  )
}

function Figures({ widget, figures }: { widget: ReportWidget; figures: ReportFigures }) {
  const report = reportAt(widget.report)
  if (!report) return null
  const { total, groups, from, until, by } = figures
  const search = {
    tab: report.key,
    ...(report.isNow ? {} : { from, until }),
    ...(by.length ? { by: by.join(',') } : {}),
    ...(widget.compare ? { compare: widget.compare } : {}),
  }
  const [main = ''] = widget.measures
  const unit = report.measures[main]?.unit ?? 'number'
  const bars = groups.filter(({ level }) => level === 1)
  // Rows without a value are left out; the report has them.
  const shown = bars.filter(({ values }) => values[main])
  const most = Math.max(1e-9, ...bars.map(({ values }) => values[main] ?? 0))
  return (
    <>
      <dl className={classes.figures}>
        {widget.measures.map((name) => {
          const measure = report.measures[name]
          return (
            measure && (
              <div key={name}>
                <dt>{measure.label}</dt>
                <dd>
                  <PageLink page="reports" search={search} className={classes.figure}>
                    {measureText(measure.unit, total.values[name])}
                  </PageLink>
                  <Change measure={measure} now={total.values[name]} before={total.before?.[name]} />
                </dd>
              </div>
            )
          )
        })}
      </dl>
      {widget.chart && bars.length > 1 && (
        <Picture
          className={classes.spark}
          table={{
            label: `${widget.title} по дням`,
            head: ['День', report.measures[main]?.label ?? ''],
            rows: bars.map(({ key, values }) => [
              groupText(report, by[0] as string, key[0] ?? null, null),
              measureText(unit, values[main]),
            ]),
          }}
        >
          {bars.map(({ key, values }) => (
            <span
              key={String(key[0])}
              title={`${groupText(report, by[0] as string, key[0] ?? null, null)}: ${measureText(unit, values[main])}`}
              style={{ height: `${Math.max(2, ((values[main] ?? 0) / most) * 100)}%` }}
            />
          ))}
        </Picture>
      )}
      {widget.rows && shown.length > 0 && (
        <ul className={classes.bars}>
          {shown.slice(0, widget.rows).map(({ key, names, values }) => (
            <li key={String(key[0])}>
              <span>{groupText(report, by[0] as string, key[0] ?? null, names[0] ?? null)}</span>
              <span className="tabular">{measureText(unit, values[main])}</span>
              <span
                className={classes.meter}
                aria-hidden
                style={{ width: `${Math.max(0, ((values[main] ?? 0) / most) * 100)}%` }}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
