import { takesTime, visitStatuses } from '@ordinator/model/areas/visits/rules'
import { phoneText } from '@ordinator/model/phone'
import type { GridColumn } from '#kit/dayGrid/grid.ts'
import { spanText } from '#kit/dayGrid/scale.ts'
import { Printed } from '#kit/Printed.tsx'
import { type Day, dayWords, startOf } from '../day.ts'
import { type ColumnKind, columnOf } from '../grid/sheet.ts'
import classes from './DayPrint.module.css'

interface Props {
  data: Day
  day: string
  columns: readonly GridColumn[]
  kind: ColumnKind
}

/** Print layout: visits of each column, one column per sheet. Rendered only for printing. */
export function DayPrint({ data, day, columns, kind }: Props) {
  return (
    <Printed className={classes.print}>
      {() =>
        columns.map(({ key, name }) => {
          const visits = data.visits
            .filter((visit) => columnOf(kind, visit) === key && takesTime(visit.visitStatus))
            .sort((a, b) => startOf(a) - startOf(b))
          if (visits.length === 0) return null
          return (
            <section key={key} className={classes.sheet}>
              <h2>{name}</h2>
              <p>{kind === 'days' ? '' : dayWords(day)}</p>
              <table>
                <thead>
                  <tr>
                    <th>Время</th>
                    <th>Пациент</th>
                    <th>Телефон</th>
                    <th>Услуги</th>
                    <th>Состояние</th>
                  </tr>
                </thead>
                <tbody>
                  {visits.map((visit) => (
                    <tr key={visit.id}>
                      <td>{spanText({ from: startOf(visit), to: startOf(visit) + visit.minutes })}</td>
                      <td>{visit.patient}</td>
                      <td>{visit.phone && phoneText(visit.phone)}</td>
                      <td>{visit.services}</td>
                      <td>{visitStatuses[visit.visitStatus]}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )
        })
      }
    </Printed>
  )
}
