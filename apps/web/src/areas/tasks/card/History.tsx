import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { Task } from '@ordinator/model/areas/tasks/task'
import { formatDateTime } from '@ordinator/model/format'
import { useHistory } from '../../../records/reads.ts'

/** Stands in until the records' own list is there. */
export function History({ idTask }: { idTask: number }) {
  const history = useHistory(Task, idTask)
  if (history.isPending) return <Skeleton height={120} />
  const entries = history.data?.pages.flatMap(page => page.items) ?? []
  return (
    <Stack gap={8}>
      {entries.map(entry => (
        <Text key={entry.id} size="sm">
          {formatDateTime(entry.dateCreate)} · {entry.user?.fio} · {Object.keys(entry.changes).join(', ')}
        </Text>
      ))}
      {history.hasNextPage && <Button onClick={() => void history.fetchNextPage()}>Ещё</Button>}
    </Stack>
  )
}
