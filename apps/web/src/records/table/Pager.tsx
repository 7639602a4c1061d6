import { Pagination, Select, Skeleton } from '@mantine/core'
import { type ListMeta, totalOf } from '@ordinator/model/client'
import type { Entity } from '@ordinator/model/entity'
import { counted, formatNumber, inSentence } from '@ordinator/model/format'
import type { SetAddressOptions } from '#base/address.ts'
import { type ListState, pageSizes } from '../listState.ts'
import classes from './Pager.module.css'

interface Props {
  entity: Entity
  /** undefined while the first page loads. */
  meta: ListMeta | undefined
  state: ListState
  /** Default page size. */
  standard?: number
  onChange: (patch: Partial<ListState>, options?: SetAddressOptions) => void
  /** Without the count. */
  quiet?: boolean
}

/** «1–20 из 345 задач», page and page size. */
export function Pager({ entity, meta, state, standard, onChange, quiet }: Props) {
  if (!meta) return <Skeleton height={14} width={160} radius="sm" />
  const total = totalOf(meta) ?? 0
  const [one, few, many] = entity.label
  const sizes = pageSizes.some((size) => size === standard) || !standard ? pageSizes : [standard, ...pageSizes]
  // Above the counting limit only the existence of a next page is known.
  const pages = Number.isFinite(total) ? Math.max(1, Math.ceil(total / state.limit)) : state.page + Number(meta.hasMore)
  const from = (state.page - 1) * state.limit + 1
  const to = Math.min(total, state.page * state.limit)
  return (
    <div className={classes.pager}>
      {!quiet && (
        <span className={classes.count} aria-live="polite">
          {pages > 1
            ? `${formatNumber(from)}–${formatNumber(to)} из ${formatNumber(total)} ${ofMany(entity, total)}`
            : counted(total, [inSentence(one), few, many])}
        </span>
      )}
      {pages > 1 && (
        <Pagination
          value={Math.min(state.page, pages)}
          total={pages}
          onChange={(page) => onChange({ page })}
          size="sm"
          siblings={1}
          boundaries={1}
          getItemProps={(page) => ({ 'aria-label': `Страница ${page}` })}
          getControlProps={(control) => ({
            'aria-label': control === 'next' ? 'Следующая страница' : 'Предыдущая страница',
          })}
        />
      )}
      {total > (sizes[0] ?? 0) && (
        <Select
          aria-label="Записей на странице"
          data={sizes.map((size) => ({ value: String(size), label: `по ${size}` }))}
          value={String(state.limit)}
          onChange={(size) => size && onChange({ limit: Number(size) })}
          w={96}
        />
      )}
    </div>
  )
}

/** «из 21 задачи», «из 24 задач»: after «из» only the singular differs. */
const ofMany = ({ label: [, few, many] }: Entity, count: number): string =>
  count % 10 === 1 && count % 100 !== 11 ? few : many
