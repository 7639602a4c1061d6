import { counted } from '@ordinator/model/format'
import { IconChecklist, IconPaperclip, IconSubtask, IconUsers } from '@tabler/icons-react'
import type { Card } from '../cards.ts'

export interface Counter {
  key: string
  icon: typeof IconChecklist
  text: string
  /** As text. */
  title: string
  done?: boolean
}

const points = ['пункт', 'пункта', 'пунктов'] as const
const files = ['файл', 'файла', 'файлов'] as const
const subtasks = ['подзадача', 'подзадачи', 'подзадач'] as const
const clients = ['клиент', 'клиента', 'клиентов'] as const

/** Counters on a card, the most important first. */
export function cardCounters(task: Card['task']): Counter[] {
  const { checkListCount, filesCount, customersCount, subtasksCount, subtasksCompletedCount } = task
  const counters: Counter[] = []
  if (subtasksCount) {
    const complete = subtasksCompletedCount ?? 0
    counters.push({
      key: 'subtasks',
      icon: IconSubtask,
      text: `${complete}/${subtasksCount}`,
      title: `${counted(subtasksCount, subtasks)}, завершено ${complete}`,
      done: complete === subtasksCount,
    })
  }
  if (checkListCount?.total) {
    const { total, complete } = checkListCount
    counters.push({
      key: 'checkList',
      icon: IconChecklist,
      text: `${complete}/${total}`,
      title: `Чек-листы: ${counted(total, points)}, выполнено ${complete}`,
      done: complete === total,
    })
  }
  if (customersCount)
    counters.push({
      key: 'customers',
      icon: IconUsers,
      text: String(customersCount),
      title: counted(customersCount, clients),
    })
  if (filesCount)
    counters.push({
      key: 'files',
      icon: IconPaperclip,
      text: String(filesCount),
      title: counted(filesCount, files),
    })
  return counters
}
