import { type Report, shownMeasures } from '@ordinator/model/report'
import type { ReportFigures, ReportGroupRow } from '@ordinator/model/reportCalls'
import { groupText, headOf } from '@ordinator/model/reportText'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Fine } from '#kit/Words.tsx'
import { Change } from './Change.tsx'
import { Figure } from './Figure.tsx'
import classes from './Reports.module.css'

/** Groups rendered at first; the rest on demand. */
const SHOWN = 100

/** Figures by group; a cell opens its rows. The first and the last row are sticky. */
export function GroupTable({ report, figures }: { report: Report; figures: ReportFigures }) {
  const [most, setMost] = useState(SHOWN)
  const { by, groups, total, isCut } = figures
  const measures = shownMeasures(report)
  const main = (report.chart?.[0] ?? measures[0]?.[0]) as string
  const longest = Math.max(0, ...groups.filter(({ level }) => level === 1).map(({ values }) => values[main] ?? 0))
  if (by.length === 0) return null
  const name = ({ key, names, level }: ReportGroupRow) =>
    groupText(report, by[level - 1] as string, key[level - 1] ?? null, names[level - 1] ?? null)
  return (
    <section className={classes.section} aria-label={`${report.title}: таблица`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keys */}
      <section className={classes.scroll} tabIndex={0} aria-label="Показатели по группам">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{by.map((one) => headOf(report, one)).join(', ')}</th>
              {measures.map(([key, { label, hint }]) => (
                <th key={key} scope="col" title={hint}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.slice(0, most).map((group) => (
              <tr
                key={JSON.stringify(group.key)}
                data-level={group.level}
                data-sub={by.length > group.level || undefined}
              >
                <th scope="row">
                  <span className={classes.name}>{name(group)}</span>
                  {group.level === 1 && longest > 0 && (
                    <span className={classes.track} aria-hidden>
                      <span
                        className={classes.bar}
                        style={{ width: `${Math.max(0, ((group.values[main] ?? 0) / longest) * 100)}%` }}
                      />
                    </span>
                  )}
                </th>
                {measures.map(([key, measure]) => (
                  <td key={key}>
                    <Figure report={report} group={group} measure={key} title={`${name(group)}: ${measure.label}`} />
                    <Change measure={measure} now={group.values[key]} before={group.before?.[key]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Итого</th>
              {measures.map(([key, measure]) => (
                <td key={key}>
                  <Figure report={report} group={total} measure={key} title={`Итого: ${measure.label}`} />
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </section>
      {groups.length > most && (
        <ActionButton
          label={`Показать ещё: ${groups.length - most}`}
          variant="subtle"
          onClick={() => setMost(most + 10 * SHOWN)}
        />
      )}
      {isCut && (
        <Fine component="p">
          Групп больше, чем помещается: сузьте период или скачайте строки. Итог посчитан по всем.
        </Fine>
      )}
    </section>
  )
}
