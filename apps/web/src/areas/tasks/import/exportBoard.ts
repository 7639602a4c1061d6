import { Assigned } from '@ordinator/model/areas/tasks/task'
import type { ExportFormat } from '@ordinator/model/client'
import { exportRecords } from '#records/table/ExportMenu.tsx'
import type { TasksAddress } from '../address.ts'
import { type CardFilter, cardFilter } from '../cards.ts'

/** The heads are those that the import recognises, so that the file comes back as it is. */
const columns: Record<string, string> = {
  'task.name': 'Название',
  'task.description': 'Описание',
  'task.importance': 'Важность',
  'task.dateStart': 'Начало',
  'task.dateEnd': 'Срок',
  'column.name': 'Колонка',
  'task.executors.member.user.fio': 'Исполнители',
  'task.responsible.member.user.fio': 'Ответственные',
  'task.tags.name': 'Метки',
  'task.isCompleted': 'Завершена',
}

/** The workspace's tasks as they are filtered, into a file. */
export function exportBoard(
  format: ExportFormat,
  idBoard: number,
  address: TasksAddress,
  mine: { idUser: number; idMember?: number },
): Promise<void> {
  const filter: CardFilter = {
    'column.idBoard': idBoard,
    ...cardFilter(address, { ...mine, now: new Date() }),
  }
  return exportRecords(
    Assigned,
    format,
    { filter, sort: ['idColumn', 'order'], fields: Object.keys(columns) },
    { titles: Object.values(columns), name: 'Задачи' },
  )
}
