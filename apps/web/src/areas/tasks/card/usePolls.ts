import { Poll } from '@ordinator/model/areas/tasks/poll'
import type { Row } from '@ordinator/model/entity'
import { useThings } from './useThings.ts'

export const usePolls = (idTask: number) => useThings<Row<typeof Poll>>(idTask, 'poll', Poll, 'Опрос удалён')
