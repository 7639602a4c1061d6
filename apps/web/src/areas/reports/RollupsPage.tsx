import { Progress } from '@mantine/core'
import { counted, formatDay, formatFileSize, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'
import classes from './Reports.module.css'

/** Polling intervals: while days are calculated, and otherwise. */
const [BUSY_MS, QUIET_MS] = [2_000, 30_000]
const KEY = ['reports', 'rollups']
const days = ['день', 'дня', 'дней'] as const

type Item = Awaited<ReturnType<typeof read>>['items'][number]
const read = (signal?: AbortSignal) => api('GET /reports/rollups', {}, signal ? { signal } : {})

/** Готовые итоги отчётов: cached days, queue, and recalculation. */
export default function RollupsPage() {
  const { title, help } = pageByKey('reportRollups')
  const found = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => read(signal),
    retry: retries,
    refetchInterval: ({ state: { data } }) => (data?.items.some(({ dirty }) => dirty > 0) ? BUSY_MS : QUIET_MS),
  })
  return (
    <>
      <PageHead title={title} help={help} />
      <div className={classes.page}>
        <p className={classes.hint}>
          Длинные периоды отчёты складывают из посчитанных дней. День, в котором что-то изменилось, считается заново
          сам, а до этого — по строкам: показатели верны в любой момент.
        </p>
        {found.data?.items.length === 0 ? (
          <EmptyState title="Итогов ещё нет" text="Они посчитаются сами в первые минуты после запуска сервера." />
        ) : found.data ? (
          <ul className={classes.rollups}>
            {found.data.items.map((item) => (
              <Rollup key={item.report} item={item} />
            ))}
          </ul>
        ) : found.isError ? (
          <ErrorState title="Не загрузилось" error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <LinesSkeleton lines={8} />
        )}
      </div>
    </>
  )
}

function Rollup({ item }: { item: Item }) {
  const { report, title, dirty, oldestDay, waitsSince, dateMarked, dateCounted, error, dateError, rows, size } = item
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const recount = async () => {
    setBusy(true)
    try {
      client.setQueryData(KEY, await api('POST /reports/rollups/recount', { body: { report } }))
    } finally {
      setBusy(false)
    }
  }
  const ready = item.days - dirty
  return (
    <Block component="li" framed px={16} py={12}>
      <HStack gap={12} wrap justify="space-between">
        <h2 className={classes.rollupTitle}>{title}</h2>
        <ActionButton
          label="Пересчитать"
          aria-label={`Пересчитать итоги: ${title}`}
          icon={IconRefresh}
          variant="default"
          loading={busy}
          disabled={dirty > 0 && dirty === item.days}
          onClick={() => void recount()}
        />
      </HStack>
      <p role="status">
        {dirty === 0
          ? `Посчитано: ${counted(ready, days)}`
          : `Посчитано ${formatNumber(ready)} из ${counted(item.days, ['дня', 'дней', 'дней'])}`}
      </p>
      {dirty > 0 && (
        <>
          <Progress mt={8} mb={8} value={(ready / Math.max(1, item.days)) * 100} aria-label={`Посчитано: ${title}`} />
          <Fine component="p">
            Ждут пересчёта: {counted(dirty, days)}
            {oldestDay && `, самый ранний — ${formatDay(oldestDay)}`}
            {waitsSince && `, с ${formatDateTime(waitsSince)}`}
          </Fine>
        </>
      )}
      {error && (
        <p className={classes.rollupError} role="alert">
          Ошибка {dateError && formatDateTime(dateError)}: {error}
        </p>
      )}
      <Fine component="p">
        История прочитана {formatDateTime(dateMarked)}
        {dateCounted ? `, дни посчитаны ${formatDateTime(dateCounted)}` : ', дни ещё не считались'}. Строк: около{' '}
        {formatNumber(rows)}, места: {formatFileSize(size)}
      </Fine>
    </Block>
  )
}
