import { ActionButton } from './ActionButton.tsx'
import { failureWords } from './failureWords.ts'
import { HStack } from './Stacks.tsx'

/** A query, as far as its failure is concerned. */
export interface Load {
  data: unknown
  isError: boolean
  error: unknown
  isFetching: boolean
  refetch: () => unknown
}

interface Props {
  /** 'Контакты не загрузились' */
  what?: string
  load: Omit<Load, 'data' | 'isError'>
}

/** A line in place of what was not loaded: what happened, and a retry. base/selfRetry.ts repeats the load by itself too. */
export function FailedLoad({ what = 'Не загрузилось', load }: Props) {
  return (
    <HStack component="p" gap={6} c="dimmed" role="alert" wrap>
      <span>
        {what}: {failureWords(load.error)}
      </span>
      <ActionButton
        label="Повторить"
        size="compact-xs"
        variant="subtle"
        loading={load.isFetching}
        onClick={() => void load.refetch()}
      />
    </HStack>
  )
}
