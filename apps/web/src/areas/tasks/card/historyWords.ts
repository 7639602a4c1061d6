import { BoardMember } from '@ordinator/model/areas/tasks/board'
import { CheckList, CheckListItem } from '@ordinator/model/areas/tasks/checkList'
import { ClientList, ClientListItem } from '@ordinator/model/areas/tasks/clientList'
import { TaskComment, TaskCommentFile } from '@ordinator/model/areas/tasks/comment'
import { TaskFile } from '@ordinator/model/areas/tasks/file'
import { linkTypes, TaskLink } from '@ordinator/model/areas/tasks/link'
import { Poll, PollOption, PollResult } from '@ordinator/model/areas/tasks/poll'
import { verbs } from '@ordinator/model/areas/tasks/states'
import { Subtask } from '@ordinator/model/areas/tasks/subtask'
import { Assigned, Executor, Responsible, Task, TaskTag, Watcher } from '@ordinator/model/areas/tasks/task'
import { inSentence } from '@ordinator/model/format'
import { wordsOfHtml } from '@ordinator/model/mentions'
import type { HistoryLine } from '#records/history/lines.ts'

/** Task-specific text of a history entry; undefined: the generic text. */
export function taskWords(line: HistoryLine): string | null | undefined {
  const { path, action } = line.entry
  return action === 'update' ? changed[path]?.(line) : (events[path]?.[action] ?? events[path]?.all)?.(line)
}

type Words = (line: HistoryLine) => string | null | undefined
type Events = Partial<Record<'create' | 'delete' | 'restore' | 'all', Words>>

const named = ({ title }: HistoryLine) => (title ? `«${title}»` : '')
const inside = (what: string, { parent }: HistoryLine) => (parent ? `${what} «${parent}»` : what)

/** Name of the entry's member. */
const member = ({ entry, nameOf }: HistoryLine): string => {
  const id = entry.changes.idMember?.find((value) => value !== null)
  return id ? nameOf(BoardMember.path, id) : ''
}
const comes = (created: Words, deleted: Words): Events => ({ create: created, restore: created, delete: deleted })

/** Texts of creation, deletion and restoration of parts. */
const events: Record<string, Events> = {
  [Task.path]: {
    create: () => 'Задача создана',
    delete: () => 'Задача удалена',
    restore: () => 'Задача восстановлена из корзины',
  },
  [Assigned.path]: comes(
    ({ entry, nameOf }) => `Карточка поставлена в колонку ${column(entry.changes.idColumn?.[1], nameOf)}`,
    () => 'Карточка снята с доски',
  ),
  [Executor.path]: comes(
    (line) => `Назначен исполнитель: ${member(line)}`,
    (line) => `Снят исполнитель: ${member(line)}`,
  ),
  [Responsible.path]: comes(
    (line) => `Назначен ответственный: ${member(line)}`,
    (line) => `Снят ответственный: ${member(line)}`,
  ),
  [Watcher.path]: comes(
    (line) => `Новый наблюдатель: ${line.title ?? ''}`,
    ({ entry, nameOf }) => `Наблюдение прекращено: ${nameOf('users', entry.changes.idUser?.[0])}`,
  ),
  [TaskTag.path]: comes(
    (line) => `Добавлена метка ${named(line)}`,
    (line) => `Убрана метка ${named(line)}`,
  ),
  [TaskFile.path]: comes(
    (line) => `Прикреплён файл ${named(line)}`,
    (line) => `Удалён файл ${named(line)}`,
  ),
  [Subtask.path]: comes(
    (line) => `Добавлена подзадача ${named(line)}`,
    (line) => `Убрана подзадача ${named(line)}`,
  ),
  [CheckList.path]: comes(
    (line) => `Добавлен чек-лист ${named(line)}`,
    (line) => `Удалён чек-лист ${named(line)}`,
  ),
  [CheckListItem.path]: comes(
    (line) => `${inside('Чек-лист', line)}: добавлен пункт ${named(line)}`,
    (line) => `${inside('Чек-лист', line)}: удалён пункт ${named(line)}`,
  ),
  [ClientList.path]: comes(
    (line) => `Добавлен список клиентов ${named(line)}`,
    (line) => `Удалён список клиентов ${named(line)}`,
  ),
  [ClientListItem.path]: comes(
    (line) => `${inside('Список клиентов', line)}: добавлен клиент`,
    (line) => `${inside('Список клиентов', line)}: убран клиент`,
  ),
  [Poll.path]: comes(
    (line) => `Добавлен опрос ${named(line)}`,
    (line) => `Удалён опрос ${named(line)}`,
  ),
  [PollOption.path]: comes(
    (line) => `${inside('Опрос', line)}: добавлен вариант ${named(line)}`,
    (line) => `${inside('Опрос', line)}: удалён вариант ${named(line)}`,
  ),
  [PollResult.path]: comes(
    (line) => `Голос в опросе: ${inside('вариант', line)}`,
    (line) => `Голос в опросе отозван: ${inside('вариант', line)}`,
  ),
  [TaskComment.path]: {
    // A system comment is omitted: the history has the state change itself.
    create: ({ entry }) =>
      entry.changes.isSystem?.[1] === true ? null : `Комментарий: ${excerpt(entry.changes.message?.[1])}`,
    delete: () => 'Комментарий удалён',
    restore: () => 'Комментарий восстановлен',
  },
  [TaskCommentFile.path]: comes(
    (line) => `К комментарию приложен файл ${named(line)}`,
    (line) => `Из комментария убран файл ${named(line)}`,
  ),
  [TaskLink.path]: {
    all: ({ entry }) => {
      const [was, type] = entry.changes.type ?? []
      const label = linkTypes[(type ?? was) as keyof typeof linkTypes]
      // Lists and polls have their own entries.
      if (type !== 'lead' && type !== 'liveassist' && was !== 'lead' && was !== 'liveassist' && label) return null
      return `${entry.action === 'delete' ? 'Убрана' : 'Добавлена'} связь${label ? `: ${inSentence(label)}` : ''}`
    },
  },
}

/** Task-specific texts of changes. */
const changed: Record<string, Words> = {
  [Task.path]: ({ entry }) => stateWords(entry.changes) ?? only(entry.changes, 'description', 'Описание изменено'),
  [Assigned.path]: ({ entry: { changes }, nameOf }) => {
    if (changes.isArchive) return changes.isArchive[1] ? 'Карточка убрана в архив' : 'Карточка возвращена из архива'
    if (!changes.idColumn) return 'Карточка переставлена'
    const [from, to] = changes.idColumn
    return `Карточка перемещена: ${column(from, nameOf)} → ${column(to, nameOf)}`
  },
  [CheckListItem.path]: (line) => {
    const check = line.entry.changes.isCheck
    if (!check || Object.keys(line.entry.changes).length > 1) return undefined
    return `${inside('Чек-лист', line)}: пункт ${named(line)} ${check[1] ? 'выполнен' : 'снова не выполнен'}`
  },
  [TaskComment.path]: ({ entry }) =>
    entry.changes.message && `Комментарий изменён: ${excerpt(entry.changes.message[1])}`,
}

type Changes = HistoryLine['entry']['changes']

/** Fields that change with the state. */
const OF_STATE: ReadonlySet<string> = new Set([
  'isCompleted',
  'isWaitCheck',
  'isNeedChange',
  'dateWorkStart',
  'dateCompleted',
  'dateExpired',
])

function stateWords(changes: Changes): string | undefined {
  if (!Object.keys(changes).every((name) => OF_STATE.has(name))) return undefined
  const became = (name: string) => changes[name]?.[1] === true
  const ceased = (name: string) => changes[name]?.[1] === false
  if (became('isCompleted')) return ceased('isWaitCheck') ? verbs.accept.line : verbs.complete.line
  if (ceased('isCompleted')) return verbs.reopen.line
  if (became('isNeedChange')) return verbs.sendBack.line
  if (became('isWaitCheck')) return verbs.handIn.line
  if (ceased('isWaitCheck')) return verbs.withdraw.line
  if (changes.dateWorkStart) return changes.dateWorkStart[1] ? verbs.start.line : verbs.reset.line
  if (changes.dateExpired) return changes.dateExpired[1] ? 'Срок прошёл' : 'Задача больше не просрочена'
  return undefined
}

const only = (changes: Changes, field: string, words: string): string | undefined =>
  Object.keys(changes).every((name) => name === field) ? words : undefined

const column = (id: unknown, nameOf: HistoryLine['nameOf']) =>
  id ? `«${nameOf('tasks-management/columns', id)}»` : '—'

const MAX_EXCERPT = 120
function excerpt(html: unknown): string {
  const words = wordsOfHtml(String(html ?? ''))
  return words.length > MAX_EXCERPT ? `${words.slice(0, MAX_EXCERPT).trimEnd()}…` : words || '(без текста)'
}
