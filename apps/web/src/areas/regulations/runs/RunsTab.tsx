import { IconListCheck } from '@tabler/icons-react'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { useRegulationsAddress } from '../address.ts'
import type { ViewPartProps } from '../view/ViewPartProps.ts'
import { useRuns } from './calls.ts'
import { RunLines } from './RunLines.tsx'

/** Runs of this version visible to the user, the latest first. */
export function RunsTab({ view }: ViewPartProps) {
  const [, setAddress] = useRegulationsAddress()
  const list = useRuns({ idRegulation: view.id })
  if (list.isPending) return <LinesSkeleton lines={4} />
  if (list.isError)
    return <ErrorState title="Ошибка при загрузке данных" error={list.error} onRetry={() => void list.refetch()} />
  if (list.data.items.length === 0)
    return (
      <EmptyState
        icon={IconListCheck}
        title="Регламент ещё не выполняли"
        text="Кнопка «Выполнить» открывает его шаги как чек-лист"
      />
    )
  return <RunLines runs={list.data.items} onOpen={(run) => setAddress({ run })} />
}
