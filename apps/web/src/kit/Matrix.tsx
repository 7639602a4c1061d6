import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Matrix.module.css'

export interface MatrixColumn<R> {
  key: string
  label: ReactNode
  cell: (row: R) => ReactNode
  /** In the row of totals. */
  total?: ReactNode
  /** Tooltip: the meaning of the figure. */
  hint?: string
  /** Left-aligned, for text; figures are right-aligned. */
  left?: boolean
}

interface Props<R> {
  /** Accessible name of the table. */
  label: string
  /** The first one names the row and is sticky. */
  columns: readonly MatrixColumn<R>[]
  rows: readonly R[]
  keyOf: (row: R) => string | number
  /** Opens the details of a row. */
  onOpen?: (row: R) => void
  /** `head` is a subtotal of the rows below, `sum` a result, `muted` a minor row. */
  kindOf?: (row: R) => 'head' | 'sum' | 'muted' | undefined
  /** Indentation level of a row's name. */
  levelOf?: (row: R) => number
  totals?: boolean
}

/** A wide table of figures: sticky names on the left, right-aligned figures, rows that open their details. */
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
