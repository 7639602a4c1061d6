import { Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { IconButton } from '#kit/IconButton.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './Analytics.module.css'
import { saveCsv } from './csv.ts'

export interface FigureColumn<T> {
  label: string
  /** Content of the cell; default: `text`. */
  cell?: (row: T) => ReactNode
  /** Text for the exported file. */
  text: (row: T) => string | number | null
  right?: boolean
}

interface Props<T> {
  title: string
  help?: string
  rows: readonly T[]
  keyOf: (row: T) => string | number
  columns: readonly FigureColumn<T>[]
  /** Bar of a row, relative to the longest. */
  bar?: { of: (row: T) => number; color?: (row: T) => string }
  empty: string
}

/** A titled table of figures with bars and export. */
export function FigureTable<T>({ title, help, rows, keyOf, columns, bar, empty }: Props<T>) {
  const heading = useId()
  const longest = bar ? Math.max(0, ...rows.map(bar.of)) : 0
  const save = () =>
    saveCsv(title, [columns.map(({ label }) => label), ...rows.map((row) => columns.map(({ text }) => text(row)))])
  return (
    <section className={classes.section} aria-labelledby={heading}>
      <HStack gap={12} align="start" justify="space-between" mb={8}>
        <div>
          <h2 id={heading}>{title}</h2>
          {help && <Fine component="p">{help}</Fine>}
        </div>
        {rows.length > 0 && (
          <IconButton icon={IconDownload} label={`Скачать таблицу «${title}»`} title="Скачать CSV" onClick={save} />
        )}
      </HStack>
      {rows.length === 0 ? (
        <Text py={8} c="dimmed">
          {empty}
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keys
        <section className={classes.scroll} tabIndex={0} aria-label={`${title}: таблица`}>
          <table className={classes.table}>
            <thead>
              <tr>
                {columns.map(({ label, right }) => (
                  <th key={label} scope="col" data-right={right || undefined}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={keyOf(row)}>
                  {columns.map(({ label, cell, text, right }, at) =>
                    at === 0 ? (
                      <th key={label} scope="row">
                        {cell ? cell(row) : text(row)}
                        {bar && (
                          <span className={classes.track} aria-hidden>
                            <span
                              className={classes.bar}
                              style={{
                                width: `${longest ? (bar.of(row) / longest) * 100 : 0}%`,
                                background: bar.color?.(row),
                              }}
                            />
                          </span>
                        )}
                      </th>
                    ) : (
                      <td key={label} className="tabular" data-right={right || undefined}>
                        {cell ? cell(row) : text(row)}
                      </td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}
