import { Text } from '@mantine/core'
import type {
  FieldChange,
  RegulationVersion,
  RegulationView,
  StageDifference,
} from '@ordinator/model/areas/regulations/wire'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { WordDifference } from '#records/history/WordDifference.tsx'
import { Chip } from '../Chip.tsx'
import { useComparison } from '../calls.ts'
import { wordsOf } from './changeWords.ts'
import classes from './Versions.module.css'

const states = {
  added: { label: 'добавлен', color: 'green' },
  removed: { label: 'убран', color: 'red' },
  changed: { label: 'изменён', color: 'yellow' },
  moved: { label: 'перемещён', color: 'blue' },
  same: { label: 'без изменений', color: 'gray' },
} as const

/** Differences between two versions, by word and step. */
export function Comparison({ view, other }: { view: RegulationView; other: RegulationVersion }) {
  const [older, newer] = other.version < view.version ? [other, view] : [view, other]
  const found = useComparison(older.id, newer.id)
  if (found.isPending) return <LinesSkeleton lines={4} />
  if (found.isError)
    return <ErrorState title="Ошибка при загрузке данных" error={found.error} onRetry={() => void found.refetch()} />
  const { fields, stages } = found.data
  const changed = stages.filter(({ state }) => state !== 'same')
  return (
    <VStack component="section" gap={12} aria-label="Сравнение версий">
      <h3>
        Версия {older.version} → версия {newer.version}
      </h3>
      {fields.length + changed.length === 0 && <Text c="dimmed">Содержание одинаково</Text>}
      {fields.map((change) => (
        <Change key={change.field} change={change} />
      ))}
      {changed.map((stage) => (
        <Difference key={`${stage.from?.id}-${stage.to?.id}`} stage={stage} />
      ))}
    </VStack>
  )
}

function Difference({ stage: { state, from, to, changes } }: { stage: StageDifference }) {
  const shown = to ?? from
  const { label, color } = states[state]
  return (
    <Block framed px={12} py={8}>
      <HStack>
        <span className="tabular">{numbersOf(from?.n, to?.n)}</span>
        <span className={state === 'removed' ? classes.was : undefined}>{shown?.title}</span>
        <Chip color={color}>{label}</Chip>
      </HStack>
      {changes.map((change) => (
        <Change key={change.field} change={change} />
      ))}
    </Block>
  )
}

const numbersOf = (from: number | undefined, to: number | undefined): string =>
  from !== undefined && to !== undefined && from !== to ? `${from} → ${to}` : String(to ?? from)

function Change({ change: { label, from, to } }: { change: FieldChange }) {
  return (
    <div className={classes.change}>
      <Muted>{label}</Muted>
      <Values from={wordsOf(from)} to={wordsOf(to)} />
    </div>
  )
}

/** Texts are compared by word; single-word values as old and new; a replaced file of the same name is reported. */
function Values({ from, to }: { from: string; to: string }) {
  if (from === to)
    return (
      <span>
        {to} <Muted>(заменено)</Muted>
      </span>
    )
  if (/\s/.test(from) || /\s/.test(to)) return <WordDifference before={from} after={to} />
  return (
    <span>
      {from || 'пусто'} → {to || 'пусто'}
    </span>
  )
}
