import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Picture.module.css'

interface Table {
  /** Accessible name of the figures. */
  label: string
  /** Column names, that of the row names first. */
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

interface Props {
  /** The figures as a table; `beside`: the page already has one. */
  table: Table | 'beside'
  className?: string | undefined
  children: ReactNode
}

/** For recharts charts inside: no tab stops in content hidden from screen readers. */
export const noTabStops = { accessibilityLayer: false }

/** A chart, with the same figures as a table for screen readers. */
export const Picture = ({ table, className, children }: Props) => (
  <div className={classes.whole}>
    <div className={className ? `${classes.drawn} ${className}` : classes.drawn} aria-hidden>
      {children}
    </div>
    {table !== 'beside' && <TableText {...table} />}
  </div>
)

const TableText = ({ label, head, rows }: Table) => (
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
