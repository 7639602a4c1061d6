import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Matrix.module.css'

export interface MatrixColumn<R> {
  key: string
  label: ReactNode
  cell: (row: R) => ReactNode
  /** In the row of totals. */
  total?: ReactNode
  /** Words under the pointer: what the figure means. */
  hint?: string
  /** Left for words; figures stand right. */
  left?: boolean
}

interface Props<R> {
  /** What the table tells, for a screen reader. */
  label: string
  /** The first one names the row and stays in sight. */
  columns: readonly MatrixColumn<R>[]
  rows: readonly R[]
  keyOf: (row: R) => string | number
  /** Opens what is behind a row. */
  onOpen?: (row: R) => void
  /** `head` is a row of a sum over those beneath, `sum` a result, `muted` one of little weight. */
  kindOf?: (row: R) => 'head' | 'sum' | 'muted' | undefined
  /** Steps by which the name of a row stands in. */
  levelOf?: (row: R) => number
  totals?: boolean
}

/** A wide table of figures: names at the left stay in sight, figures stand right, a row opens what is behind it. */
export function Matrix<R>({ label, columns, rows, keyOf, onOpen, kindOf, levelOf, totals }: Props<R>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keys
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map(({ key, label: head, left, hint }, at) => (
              <th key={key} scope="col" data-left={left || at === 0 || undefined} title={hint}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              data-kind={kindOf?.(row)}
              data-opens={onOpen ? true : undefined}
              onClick={onOpen && (() => onOpen(row))}
            >
              {columns.map(({ key, cell, left }, at) =>
                at === 0 ? (
                  <th key={key} scope="row" style={{ paddingInlineStart: 12 + 16 * (levelOf?.(row) ?? 0) }}>
                    {onOpen ? (
                      <UnstyledButton
                        className={classes.open}
                        onClick={(event) => {
                          event.stopPropagation()
                          onOpen(row)
                        }}
                      >
                        {cell(row)}
                      </UnstyledButton>
                    ) : (
                      cell(row)
                    )}
                  </th>
                ) : (
                  <td key={key} className="tabular" data-left={left || undefined}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
        {totals && (
          <tfoot>
            <tr>
              {columns.map(({ key, total, left }, at) =>
                at === 0 ? (
                  <th key={key} scope="row">
                    {total ?? 'Итого'}
                  </th>
                ) : (
                  <td key={key} className="tabular" data-left={left || undefined}>
                    {total}
                  </td>
                ),
              )}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}
