import { Anchor } from '@mantine/core'
import { counted, formatDay } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { columnsOf, type Report, type ReportField } from '@ordinator/model/report'
import type { ReportRows } from '@ordinator/model/reportCalls'
import { fieldText, measureText } from '@ordinator/model/reportText'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { routeTo } from '#base/address.ts'
import { reportApi } from '#base/reportApi.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { zoneNow } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'
import type { Behind } from './address.ts'
import classes from './Reports.module.css'

type Row = ReportRows['items'][number]

interface Props {
  report: Report
  /** Parameters of the figures: branches, conditions and others. */
  asked: Record<string, unknown>
  behind: Behind
  onClose: () => void
}

/** Rows behind a figure, with the figure recalculated from them. */
export function RowsPanel({ report, asked: { by: _by, compare: _compare, ...asked }, behind, onClose }: Props) {
  const { measure, of, ...bounds } = behind
  const query = { ...asked, ...(report.isNow ? { is: bounds.is } : bounds), ...(measure && { measure }) }
  const list = useInfiniteQuery({
    queryKey: ['reportRows', report.key, query],
    queryFn: ({ signal, pageParam }) => reportApi.rows(report, { ...query, page: pageParam }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, hasMore }) => (hasMore ? page + 1 : undefined),
    retry: retries,
  })
  const first = list.data?.pages[0]
  const unit = measure && report.measures[measure]?.unit
  return (
    <SidePanel
      opened
      wide
      onClose={onClose}
      title={of}
      actions={
        <IconButton
          icon={IconDownload}
          label="Скачать строки в XLSX"
          onClick={() => void reportApi.file(report, { ...query, what: 'rows', format: 'xlsx' }, of)}
        />
      }
    >
      {list.isPending ? (
        <LinesSkeleton lines={8} />
      ) : list.isError && !first ? (
        <ErrorState title="Строки не загрузились" error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <HStack gap={16} wrap mb={8}>
            <strong>{counted(first?.total ?? 0, ['строка', 'строки', 'строк'])}</strong>
            {measure && unit && <span className="tabular">{measureText(unit, first?.values[measure])}</span>}
            {!report.isNow && (
              <Fine>
                {formatDay(bounds.from)} — {formatDay(bounds.until)}, дни по часам филиала
              </Fine>
            )}
          </HStack>
          {first?.run ? (
            <p role="status">Строк очень много: их файл делается в фоне и появится в отчёте.</p>
          ) : first?.total === 0 ? (
            <EmptyState title="Строк нет" text="Пока вы смотрели, данные изменились." />
          ) : (
            <RowTable report={report} rows={list.data?.pages.flatMap(({ items }) => items) ?? []} />
          )}
          {list.hasNextPage && (
            <ActionButton
              label="Показать ещё"
              variant="default"
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            />
          )}
        </>
      )}
    </SidePanel>
  )
}

const numbers = new Set<ReportField['type']>(['money', 'number', 'share', 'minutes', 'seconds'])

/** Types whose text is not broken into lines. */
const whole = new Set<ReportField['type']>(['day', 'moment'])

function RowTable({ report, rows }: { report: Report; rows: readonly Row[] }) {
  const columns = columnsOf(report).filter(([name]) =>
    rows.some((row) => row[name] !== null && row[name] !== undefined && row[name] !== ''),
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keys
    <section className={classes.scroll} tabIndex={0} aria-label="Строки">
      <table className={classes.rows}>
        <thead>
          <tr>
            {columns.map(([name, { label, type }]) => (
              <th key={name} scope="col" data-right={numbers.has(type) || undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: facts have no key of their own, and never move
            <tr key={at}>
              {columns.map(([name, field], column) => {
                const text = fieldText(field, row[name], row[`${name}Name`], String(row._zone ?? zoneNow()))
                const to = column === 0 ? wayTo(report, row) : undefined
                return (
                  <td
                    key={name}
                    data-right={numbers.has(field.type) || undefined}
                    data-whole={whole.has(field.type) || undefined}
                  >
                    {to && text ? (
                      <Anchor inherit renderRoot={(props) => <Link {...props} {...to} />}>
                        {text}
                      </Anchor>
                    ) : (
                      text
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Link to the record of a row. */
function wayTo({ opens }: Report, row: Row): ReturnType<typeof routeTo> | undefined {
  const id = row._id
  if (!opens || id === null || id === undefined) return undefined
  const { page, as = 'open' } = opens
  return pageByKey(page).path.includes(':')
    ? routeTo({ page, params: { id: Number(id) } })
    : routeTo({ page, search: { [as]: id } })
}
