import { ReportRun, type runStates } from '@ordinator/model/areas/reports/mailing'
import { formatDay } from '@ordinator/model/format'
import type { Report } from '@ordinator/model/report'
import type { ReportFigures } from '@ordinator/model/reportCalls'
import { IconDownload, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { saveFile } from '#base/saveFile.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { retries, useList } from '#records/reads.ts'
import { Going } from './CountingRun.tsx'
import { GroupTable } from './GroupTable.tsx'
import { Totals } from './Totals.tsx'

type State = keyof typeof runStates

/** Starts a background run. */
export const startRun = (report: Report, asked: Record<string, unknown>, what: 'figures' | 'rows') =>
  api('POST /reports/runs', {
    body: { report: report.key, asked, what, format: what === 'rows' ? 'csv' : 'json' },
  })

/** Whether a run counts what is asked now: another period's result would head the wrong figures. */
const isAsked = (run: Run, asked: Record<string, unknown>): boolean => {
  const { by: _by, compare: _compare, ...filter } = asked
  return textOf(run.asked) === textOf(run.what === 'rows' ? filter : asked)
}

const textOf = (asked: Record<string, unknown> | null): string =>
  JSON.stringify(
    Object.entries(asked ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, name === 'is' ? [value].flat().map(String).toSorted() : String(value)])
      .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  )

interface RunsProps {
  report: Report
  /** The parameters of the shown figures. */
  asked: Record<string, unknown>
  /** Shows what a run was asked. */
  onOpen: (asked: Record<string, unknown>) => void
}

/** The user's background runs of this report: progress, cancel; the result of the one that is asked now. */
export function BackgroundRuns({ report, asked, onOpen }: RunsProps) {
  const [hidden, setHidden] = useState<readonly number[]>([])
  const list = useList(
    ReportRun,
    { filter: { report: report.key, state: { neq: 'cancelled' } }, sort: '-id', limit: 3 },
    { forbidden: 'silent' },
  )
  useRevealDelay(list.isPending)
  const shown = (list.data?.items ?? []).filter(({ id }) => !hidden.includes(id))
  return shown.map((run) => (
    <Block key={run.id} component="section" framed px={16} py={12} aria-label="Расчёт в фоне">
      <HStack gap={12} wrap justify="space-between">
        <span role="status">{wordsOf(run)}</span>
        <HStack gap={8}>
          {run.state === 'running' && (
            <ActionButton
              label="Остановить"
              variant="default"
              icon={IconX}
              onClick={() => void api('POST /reports/runs/:id/cancel', { params: { id: run.id } })}
            />
          )}
          {run.state === 'done' && run.format === 'json' && !isAsked(run, asked) && run.asked && (
            <ActionButton label="Открыть" variant="default" onClick={() => onOpen(run.asked ?? {})} />
          )}
          {run.state === 'done' && run.format !== 'json' && (
            <ActionButton
              label="Скачать"
              icon={IconDownload}
              onClick={() => void saveFile(`/reports/runs/${run.id}/file`, `${report.title}.${run.format}`)}
            />
          )}
          {run.state !== 'running' && (
            <IconButton icon={IconX} label="Скрыть расчёт" onClick={() => setHidden([...hidden, run.id])} />
          )}
        </HStack>
      </HStack>
      {run.state === 'running' && <Going run={run} />}
      {run.state === 'done' && run.format === 'json' && isAsked(run, asked) && <Result report={report} id={run.id} />}
    </Block>
  ))
}

interface Run {
  id: number
  state: State
  what: string
  total: number
  done: number
  message: string | null
  dateCreate: string
  asked: Record<string, unknown> | null
}

function wordsOf({ state, what, message, asked }: Run): string {
  const { from, until } = asked ?? {}
  const days = from && until ? ` за ${formatDay(String(from))}–${formatDay(String(until))}` : ''
  const named = what === 'rows' ? `Строки${days}` : `Показатели${days}`
  if (state === 'failed') return `${named}: не получилось. ${message ?? ''}`
  return state === 'done' ? `${named}: готово` : `${named}: считаем`
}

function Result({ report, id }: { report: Report; id: number }) {
  const found = useQuery({
    queryKey: ['reportRun', id],
    queryFn: ({ signal }) => api('GET /reports/runs/:id/figures', { params: { id } }, { signal }),
    retry: retries,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!found.data) return null
  const figures: ReportFigures = found.data
  return (
    <Block mt={12}>
      <Totals report={report} figures={figures} />
      <Block mt={12}>
        <GroupTable report={report} figures={figures} />
      </Block>
    </Block>
  )
}
