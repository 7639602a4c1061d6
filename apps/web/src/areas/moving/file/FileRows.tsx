import { Muted } from '#kit/Words.tsx'
import sharedClasses from '../Moving.module.css'
import type { FileRowsAnswer } from '../movingCalls.ts'
import classes from './file.module.css'

/** Rows of the file with their notes. */
export function FileRows({ rows, columns }: Pick<FileRowsAnswer, 'rows' | 'columns'>) {
  const used = columns.filter(({ name }) => rows.some(({ values }) => values[name]))
  if (rows.length === 0) return <Muted>Таких строк нет</Muted>
  const isNoted = rows.some(({ notes }) => notes.length > 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box is reached by keys
    <section className={sharedClasses.frame} aria-label="Строки файла с замечаниями" tabIndex={0}>
      <table className={sharedClasses.table}>
        <thead>
          <tr>
            <th>№</th>
            {isNoted && <th>Замечания</th>}
            {used.map(({ name }) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, values, notes }) => (
            <tr key={row}>
              <td className="tabular">{row}</td>
              {isNoted && (
                <td className={classes.notes}>
                  {notes.map(({ field, message, error }) => (
                    <div key={`${field} ${message}`} className={error ? sharedClasses.left : undefined}>
                      {field && !message.startsWith(field) ? `${field}: ${message}` : message}
                    </div>
                  ))}
                </td>
              )}
              {used.map(({ name }) => (
                <td key={name}>{values[name]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
