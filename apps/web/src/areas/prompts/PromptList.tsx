import { Badge } from '@mantine/core'
import { Prompt, type PromptKind } from '@ordinator/model/areas/prompts/prompt'
import type { Expanded } from '@ordinator/model/client'
import { counted, formatMoney, formatMonth } from '@ordinator/model/format'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { formatDateTime } from '#kit/clock.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { NewPromptDialog } from './NewPromptDialog.tsx'
import classes from './Prompts.module.css'

const promptFilters = filters(Prompt, {
  active: choice('active', {
    label: 'Действует',
    options: { yes: 'Действующие', no: 'Выключенные' },
    values: { yes: true, no: false },
    any: 'Все',
  }),
})

type Line = Expanded<typeof Prompt, 'user'>

const columns: readonly ColumnSpec<Line>[] = [
  {
    key: 'name',
    width: 300,
    cell: ({ name, isDefault }) => (
      <HStack component="span" display="inline-flex" gap={8}>
        {name}
        {isDefault && (
          <Badge variant="light" size="sm">
            первая
          </Badge>
        )}
      </HStack>
    ),
  },
  { key: 'version', width: 100, align: 'right' },
  { key: 'runsCount', width: 120, align: 'right' },
  {
    key: 'goodCount',
    label: 'Оценки',
    width: 130,
    sort: false,
    cell: ({ goodCount, badCount }) =>
      goodCount + badCount === 0 ? (
        <Muted>—</Muted>
      ) : (
        <HStack component="span" display="inline-flex" gap={4} className="tabular">
          <IconThumbUp size={16} role="img" aria-label="Хорошо" color="var(--mantine-color-teal-6)" /> {goodCount}
          <IconThumbDown size={16} role="img" aria-label="Плохо" color="var(--mantine-color-red-6)" /> {badCount}
        </HStack>
      ),
  },
  { key: 'cost', width: 130, align: 'right', cell: ({ cost }) => <span className="tabular">{formatMoney(cost)}</span> },
  { key: 'dateChange', width: 170, cell: ({ dateChange }) => formatDateTime(dateChange) },
  { key: 'active', width: 120 },
]

/** Prompts of one kind, with monthly costs. */
export function PromptList({ kind }: { kind: PromptKind }) {
  const page = kind === 'call' ? 'callPrompt' : 'protocolPrompt'
  return (
    <RegistryPage
      page={pageByKey(kind === 'call' ? 'callPrompts' : 'protocolPrompts')}
      entity={Prompt}
      filter={{ kind }}
      expand={['user']}
      columns={columns}
      filters={promptFilters}
      pageOf={(id) => pagePath(page, { id })}
      create={kind === 'call' ? NewCallPrompt : NewProtocolPrompt}
      isMuted={({ active }) => !active}
      layout={(list) => (
        <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)">
          <Spent kind={kind} />
          {list}
        </VStack>
      )}
    />
  )
}

interface CreateProps {
  onClose: () => void
  onMade: (id: number) => void
}
const NewCallPrompt = (props: CreateProps) => <NewPromptDialog kind="call" {...props} />
const NewProtocolPrompt = (props: CreateProps) => <NewPromptDialog kind="protocol" {...props} />

const SHOWN = 4

function Spent({ kind }: { kind: PromptKind }) {
  const found = useQuery({
    queryKey: ['prompts', 'spent', kind],
    queryFn: () => api('GET /prompts/spent', { query: { kind } }),
  })
  useRevealDelay(found.isPending)
  const months = found.data?.months.slice(0, SHOWN) ?? []
  if (months.length === 0) return null
  return (
    <section aria-label="Расход по месяцам" className={classes.months}>
      {months.map(({ month, runs, done, cost, good, bad }) => (
        <div key={month}>
          <Fine component="div">{formatMonth(month)}</Fine>
          <strong className="tabular">{formatMoney(cost)}</strong>
          <Fine component="div" className="tabular">
            {counted(runs, ['запуск', 'запуска', 'запусков'])}, удачных {runs ? Math.round((100 * done) / runs) : 0} %
            {good + bad > 0 && `, хороших ${Math.round((100 * good) / (good + bad))} %`}
          </Fine>
        </div>
      ))}
    </section>
  )
}
