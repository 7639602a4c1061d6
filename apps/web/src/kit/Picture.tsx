import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Picture.module.css'

interface Table {
  /** What the figures are. */
  label: string
  /** Names of the columns, that of the rows first. */
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

interface Props {
  /** The figures in words; `beside`: a table of them stands on the page already. */
  table: Table | 'beside'
  className?: string | undefined
  children: ReactNode
}

/** For charts of recharts within: keys do not stop at what is hidden from the ear. */
export const unheard = { accessibilityLayer: false }

/** A chart, and the same figures as a table for whoever does not see it. */
export const Picture = ({ table, className, children }: Props) => (
  <div className={classes.whole}>
    <div className={className ? `${classes.drawn} ${className}` : classes.drawn} aria-hidden>
      {children}
    </div>
    {table !== 'beside' && <Heard {...table} />}
  </div>
)

const Heard = ({ label, head, rows }: Table) => (
  <VisuallyHidden>
    <table>
      <caption>{label}</caption>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have one name
          <tr key={at}>
            <th scope="row">{name}</th>
            {cells.map((cell, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
              <td key={place}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </VisuallyHidden>
)
