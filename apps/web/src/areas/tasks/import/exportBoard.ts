import { Assigned } from '@ordinator/model/areas/tasks/task'
import type { ExportFormat } from '@ordinator/model/client'
import { exportRecords } from '#records/table/ExportMenu.tsx'
import type { TasksAddress } from '../address.ts'
import { type CardFilter, cardFilter } from '../cards.ts'

/** Headers known to the importer, so that the file can be imported again. */
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

/** Exports the filtered tasks of the workspace. */
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
