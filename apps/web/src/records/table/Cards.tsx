import { Checkbox, Skeleton, VisuallyHidden } from '@mantine/core'
import { uiOf } from '../fields/registry.ts'
import type { AnyRow } from '../fields/ui.ts'
import classes from './Cards.module.css'
import { CellContent } from './CellContent.tsx'
import type { Column } from './columns.ts'
import { hasValue } from './hasValue.ts'
import { OpenLink } from './OpenLink.tsx'
import { type RowsProps, toggled } from './rowsProps.ts'

/** Maximum facts below a card's title. */
const MAX_FACTS = 4
/** The creation time is shown only if there are few other facts. */
const STAMPS: ReadonlySet<string> = new Set(['dateCreate', 'dateChange'])
const ENOUGH_FACTS = 2

/** The rows on a phone: the first column is the title, the next non-empty ones are small below. */
export function Cards({
  columns,
  rows,
  loading,
  stale,
  onOpen,
  hrefOf,
  isMuted,
  selected,
  onSelect,
  label,
}: RowsProps) {
  const actions = columns.filter((column) => column.actions)
  const [title, ...rest] = columns.filter((column) => !column.actions)
  if (loading || !title) return <SkeletonCards />
  return (
    <ul className={classes.cards} data-stale={stale || undefined} aria-label={label} aria-busy={stale}>
      {rows.map((row) => (
        <li
          key={row.id}
          className={classes.card}
          data-muted={isMuted?.(row) || undefined}
          data-selected={selected?.has(row.id) || undefined}
        >
          <div className={classes.top}>
            {selected && (
              <Checkbox
                size="sm"
                aria-label={`Выбрать № ${row.id}`}
                checked={selected.has(row.id)}
                onChange={() => onSelect(toggled(selected, row))}
              />
            )}
            <div className={classes.title}>
              <OpenLink row={row} onOpen={onOpen} hrefOf={hrefOf}>
                <CellContent column={title} row={row} />
              </OpenLink>
            </div>
            {actions.map((column) => (
              <CellContent key={column.key} column={column} row={row} />
            ))}
          </div>
          <Facts columns={rest} row={row} />
        </li>
      ))}
    </ul>
  )
}

/** A number, a mark and one of several dates need their labels; a text does not. */
function isLabelled({ align, field }: Column<AnyRow>, facts: readonly Column<AnyRow>[]): boolean {
  const labelOf = (one: Column<AnyRow>['field']) => one && uiOf(one).cardLabel
  if (align === 'right' || labelOf(field) === 'always') return true
  return labelOf(field) === 'several' && facts.filter((one) => labelOf(one.field) === 'several').length > 1
}

function Facts({ columns, row }: { columns: Column<AnyRow>[]; row: AnyRow }) {
  const all = columns.filter((column) => hasValue(column, row))
  const own = all.filter(({ key }) => !STAMPS.has(key))
  const facts = (own.length >= ENOUGH_FACTS ? own : all).slice(0, MAX_FACTS)
  if (facts.length === 0) return null
  return (
    <dl className={classes.facts}>
      {facts.map((column) => (
        <div key={column.key} className={classes.fact}>
          {isLabelled(column, facts) ? (
            <dt>{column.label}</dt>
          ) : (
            <VisuallyHidden component="dt">{column.label}</VisuallyHidden>
          )}
          <dd>
            <CellContent column={column} row={row} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function SkeletonCards() {
  return (
    <ul className={classes.cards} aria-hidden>
      {Array.from({ length: 6 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards that are all alike
        <li key={i} className={classes.card}>
          <Skeleton height={14} width="60%" radius="sm" />
          <Skeleton height={12} mt={12} width="80%" radius="sm" />
          <Skeleton height={12} mt={8} width="50%" radius="sm" />
        </li>
      ))}
    </ul>
  )
}
