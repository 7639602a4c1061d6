import { Board, BoardColumn, BoardMember, defaultColumns } from '@ordinator/model/areas/tasks/board'
import { TaskComment } from '@ordinator/model/areas/tasks/comment'
import { Executor, Task, TaskTag } from '@ordinator/model/areas/tasks/task'
import type { Create, Update } from '@ordinator/model/entity'
import { formatDateTime } from '@ordinator/model/format'
import sql, { join, raw } from 'sql-template-tag'
import { z } from 'zod'
import { type Checked, type ImportContext, type Importer, refuseFile } from '#areas/imports/index.ts'
import { fioSql, loginSql } from '#areas/staff/index.ts'
import { type FieldError, ValidationError } from '#platform/errors.ts'
import { escaped } from '#records/sanitize.ts'
import { addCheckList, putLast } from './importTasks.ts'

const MAX_LISTS = 100
const MAX_NAME = 255

const text = z.string().catch('')
const list = <T extends z.ZodType>(item: T) => z.array(item).catch([])
const named = z.object({ id: text, name: text, closed: z.boolean().catch(false), pos: z.number().catch(0) })
const member = z.object({ id: text, username: text, fullName: text })

/** Imported parts of a Trello board; the rest of the file is ignored, and missing parts are empty. */
const boardFile = z.object({
  name: text,
  desc: text,
  lists: z.array(named),
  cards: z.array(
    named.extend({
      desc: text,
      due: z.string().nullable().catch(null),
      start: z.string().nullable().catch(null),
      dueComplete: z.boolean().catch(false),
      idList: text,
      labels: list(z.object({ name: text, color: z.string().nullable().catch(null) })),
      idMembers: list(z.string()),
      attachments: list(z.object({ name: text, url: text })),
    }),
  ),
  members: list(member),
  checklists: list(
    named.extend({
      idCard: text,
      checkItems: list(
        z.object({ name: text, state: text, pos: z.number().catch(0), due: z.string().nullable().catch(null) }),
      ),
    }),
  ),
  actions: list(
    z.object({
      type: text,
      date: text,
      memberCreator: member.partial().catch({}),
      data: z.object({ text, card: z.object({ id: text }).catch({ id: '' }) }).catch({ text: '', card: { id: '' } }),
    }),
  ),
})
type BoardFile = z.output<typeof boardFile>
type FileMember = z.output<typeof member>

interface FileCard {
  card: BoardFile['cards'][number]
  list: BoardFile['lists'][number] | undefined
  members: FileMember[]
  checklists: BoardFile['checklists']
  comments: BoardFile['actions']
}
/** The board itself comes first, then its cards. */
type Row = { board: BoardFile } | FileCard

interface Ready {
  timeZone: string
  fileName: string
  /** Staff by normalized login and full name, only those in the file; more than one: ambiguous. */
  staff: Map<string, { id: number; fio: string }[]>
}

/** Imports a board exported from Trello into a new workspace of the user. */
export const importBoard: Importer<Record<string, never>, Row, Ready, Row> = {
  kind: 'trello',
  label: 'Доска из JSON',
  access: 'viewTasksManagement',
  params: z.strictObject({}),
  columns: [
    { name: 'Название', field: 'name' },
    { name: 'Колонка' },
    { name: 'Срок', field: 'dateEnd' },
    { name: 'Исполнители' },
    { name: 'Метки' },
    { name: 'Содержимое' },
  ],
  rowsOf,
  async open({ records, tx, fileName }) {
    const staff = new Map<string, { id: number; fio: string }[]>()
    const people = await tx.query<{ id: number; login: string | null; fio: string }>(sql`
      select u."id", ${loginSql(raw('u'), records.actor)} as login, ${fioSql(raw('u'))} as fio from users u where not u."deleted" and not u."isBlocked"`)
    for (const { id, login, fio } of people)
      for (const name of new Set([login ?? fio, fio, shortName(fio), turned(fio)].map(plain)))
        staff.set(name, [...(staff.get(name) ?? []), { id, fio }])
    return { timeZone: records.actor.timeZone, fileName, staff }
  },
  check,
  write: (context, ready, row) =>
    'board' in row ? writeBoard(context, ready, row.board) : writeCard(context, ready, row),
}

const plain = (name: string) => name.trim().replace(/\s+/g, ' ').toLocaleLowerCase('ru')
/** Trello has names as «Имя Фамилия», the clinic as «Фамилия Имя Отчество». */
const shortName = (fio: string) => fio.split(' ').slice(0, 2).join(' ')
const turned = (fio: string) => fio.split(' ').slice(0, 2).reverse().join(' ')

function rowsOf(content: unknown): Row[] {
  const parsed = boardFile.safeParse(content)
  if (!parsed.success) throw refuseFile('Это не доска Trello: в файле нет списков и карточек')
  const board = parsed.data
  if (board.lists.length > MAX_LISTS) throw refuseFile(`На доске больше ${MAX_LISTS} списков`)
  const lists = new Map(board.lists.map((one) => [one.id, one]))
  const members = new Map(board.members.map((one) => [one.id, one]))
  const checklists = Map.groupBy(board.checklists.toSorted(byPos), (one) => one.idCard)
  const commentActions = board.actions.filter((one) => one.type === 'commentCard' && one.data.text)
  const comments = Map.groupBy(
    commentActions.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    (one) => one.data.card.id,
  )
  const at = (id: string) => lists.get(id)?.pos ?? 0
  const cards = board.cards.toSorted((a, b) => at(a.idList) - at(b.idList) || a.pos - b.pos)
  return [
    { board },
    ...cards.map((card) => ({
      card,
      list: lists.get(card.idList),
      members: card.idMembers.map((id) => members.get(id) ?? { id, username: '', fullName: id }),
      checklists: checklists.get(card.id) ?? [],
      comments: comments.get(card.id) ?? [],
    })),
  ]
}

const byPos = (a: { pos: number }, b: { pos: number }) => a.pos - b.pos

function check(ready: Ready, row: Row): Checked<Row> {
  if ('board' in row) {
    const { lists, members } = row.board
    const shown = {
      Название: boardName(row.board, ready),
      Колонка: lists
        .filter((one) => !one.closed)
        .map((one) => one.name)
        .join(', '),
      Исполнители: members.map((one) => matched(ready, one)?.fio ?? one.fullName).join(', '),
      Содержимое: 'Рабочее пространство',
    }
    return { values: row, shown }
  }
  const { card, list, members, checklists, comments } = row
  if (!list) {
    const errors = [{ field: 'Колонка', message: 'Карточка не относится ни к одному списку' }]
    return { errors, shown: { Название: taskName(card.name) } }
  }
  const notes: FieldError[] = members
    .filter((one) => !matched(ready, one))
    .map((one) => ({
      field: 'Исполнители',
      message: `«${one.fullName || one.username}» не найден среди сотрудников: имя записано в описание`,
    }))
  if (card.name.trim().length > MAX_NAME)
    notes.push({ field: 'Название', message: `Название обрезано до ${MAX_NAME} знаков, целиком оно в описании` })
  const counts = [
    [checklists.length, 'чек-листов'],
    [comments.length, 'комментариев'],
    [card.attachments.length, 'ссылок'],
  ]
  return {
    values: row,
    notes,
    shown: {
      Название: taskName(card.name),
      Колонка: list.name,
      Срок: formatDateTime(moment(card.due), ready.timeZone),
      Исполнители: members.map((one) => matched(ready, one)?.fio ?? one.fullName).join(', '),
      Метки: card.labels.map(tagName).join(', '),
      Содержимое: [
        ...counts.flatMap(([count, what]) => (count ? [`${what}: ${count}`] : [])),
        ...(card.closed || list.closed ? ['в архиве'] : []),
      ].join(', '),
    },
  }
}

const matched = ({ staff }: Ready, person: FileMember) => {
  const found = staff.get(plain(person.username)) ?? staff.get(plain(person.fullName)) ?? []
  return found.length === 1 ? found[0] : undefined
}
const boardName = (board: BoardFile, { fileName }: Ready) =>
  (board.name.trim() || fileName.replace(/\.json$/i, '') || 'Доска').slice(0, 64)
const taskName = (name: string) => name.trim().slice(0, MAX_NAME) || 'Без названия'
const tagName = ({ name, color }: { name: string; color: string | null }) =>
  (name.trim() || tagColors[color ?? '']?.name || 'Метка').slice(0, 64)
const moment = (written: string | null) =>
  written && !Number.isNaN(Date.parse(written)) ? new Date(written).toISOString() : null

/** Usual list names of states. */
const stateNames: Partial<Record<(typeof defaultColumns)[number]['link'], RegExp>> = {
  idColumnNew: /^(to ?do|backlog|нов|сделать|к выполнению|входящие|очередь)/i,
  idColumnWork: /^(doing|in progress|в работе|в процессе|делаем|выполня)/i,
  idColumnWait: /^(review|testing|на проверке|проверка|тест)/i,
  idColumnCompleted: /^(done|готов|сделан|заверш|выполнен)/i,
}

/** Creates the workspace with a column for each list; they replace the default columns. */
async function writeBoard({ records, tx }: ImportContext<unknown>, ready: Ready, file: BoardFile) {
  const board = await records.create(Board, {
    name: boardName(file, ready),
    description: file.desc.trim().slice(0, 1000) || null,
  })
  const made: { path: string; id: number; key?: string }[] = [{ path: Board.path, id: board.id, key: 'board' }]
  const first = await tx.query<{ id: number }>(
    sql`select "id" from tasks_management_columns where "idBoard" = ${board.id}`,
  )
  const links: Update<typeof Board> = {}
  for (const one of file.lists.toSorted(byPos)) {
    const column = await records.create(BoardColumn, {
      idBoard: board.id,
      name: one.name.trim().slice(0, 64) || 'Без названия',
    })
    made.push({ path: BoardColumn.path, id: column.id, key: `list ${one.id}` })
    const link = (Object.keys(stateNames) as (keyof typeof stateNames)[]).find(
      (state) => links[state] === undefined && !one.closed && stateNames[state]?.test(one.name.trim()),
    )
    if (link) links[link] = column.id
  }
  const unlinked = Object.fromEntries(defaultColumns.map(({ link }) => [link, null]))
  await records.update(Board, board.id, { ...unlinked, ...links })
  if (file.lists.length > 0) for (const { id } of first) await records.remove(BoardColumn, id)
  const people = new Set(file.members.flatMap((one) => matched(ready, one)?.id ?? []))
  people.delete(records.actor.id)
  for (const idUser of people) await records.create(BoardMember, { idBoard: board.id, idUser })
  return made
}

async function writeCard({ records, tx, known }: ImportContext<unknown>, ready: Ready, row: FileCard) {
  const { card, list, members, checklists, comments } = row
  const idBoard = known.get('board')
  const idColumn = known.get(`list ${list?.id}`)
  if (!idBoard || !idColumn) throw new ValidationError([{ field: 'idColumn', message: 'Список карточки не создан' }])
  const people = members.map((one) => ({ one, found: matched(ready, one) }))
  const dateEnd = moment(card.due)
  const dateStart = moment(card.start)
  const body: Create<typeof Task> = {
    name: taskName(card.name),
    description: descriptionOf(
      row,
      people.filter(({ found }) => !found).map(({ one }) => one.fullName || one.username),
    ),
    dateEnd,
    dateStart: dateStart && dateEnd && dateStart > dateEnd ? null : dateStart,
    isCompleted: card.dueComplete,
    isArchive: card.closed || list?.closed === true,
    idColumn,
  }
  const task = await records.create(Task, body)
  await putLast(records, tx, task.id)
  const staff = [...new Set(people.flatMap(({ found }) => found?.id ?? []))]
  const boardMembers = staff.length
    ? await tx.query<{ id: number }>(sql`select m."id" from tasks_management_members m
        where m."idBoard" = ${idBoard} and m."idUser" in (${join(staff)}) and not m."deleted"
          and not exists (select 1 from tasks_management_executors e where e."idTask" = ${task.id} and e."idMember" = m."id")`)
    : []
  for (const { id } of boardMembers) await records.create(Executor, { idTask: task.id, idMember: id })
  for (const label of new Map(card.labels.map((one) => [tagName(one), one])).values())
    await records.create(TaskTag, {
      idTask: task.id,
      name: tagName(label),
      color: tagColors[label.color ?? '']?.color ?? '#868e96',
    })
  for (const one of checklists) {
    const items = one.checkItems.toSorted(byPos).map((item) => ({
      name: item.name.trim().slice(0, 1000) || '—',
      isCheck: item.state === 'complete',
      dateEnd: moment(item.due),
    }))
    await addCheckList(records, task.id, one.name.trim().slice(0, MAX_NAME) || 'Чек-лист', items)
  }
  for (const { memberCreator, date, data } of comments) {
    const author = escaped(memberCreator.fullName || memberCreator.username || 'Неизвестный')
    const when = formatDateTime(moment(date), ready.timeZone)
    const message = `<p><strong>${author}</strong>${when && `, ${when}`}</p>${simpleHtml(data.text)}`.slice(0, 20_000)
    await records.create(TaskComment, { message, type: 'task', idEntity: task.id })
  }
  return [{ path: Task.path, id: task.id }]
}

function descriptionOf({ card }: FileCard, strangers: readonly string[]): string | null {
  const name = card.name.trim()
  const parts = [
    name.length > MAX_NAME ? simpleHtml(name) : '',
    card.desc.trim() ? simpleHtml(card.desc) : '',
    strangers.length ? `<p>Участники в Trello: ${strangers.map(escaped).join(', ')}</p>` : '',
    card.attachments.length
      ? `<p>Вложения:</p><ul>${card.attachments.map((one) => `<li>${linkOf(one)}</li>`).join('')}</ul>`
      : '',
  ]
  return parts.join('') || null
}

const linkOf = ({ name, url }: { name: string; url: string }) =>
  /^https?:\/\//i.test(url) ? `<a href="${escaped(url)}">${escaped(name || url)}</a>` : escaped(name || url)

/** Common Markdown: paragraphs, headings, lists, bold, italics, code, links. The engine sanitises the rest. */
export function simpleHtml(markdown: string): string {
  const html: string[] = []
  let open: 'ul' | 'ol' | undefined
  const within = (wanted: typeof open) => {
    if (open === wanted) return
    if (open) html.push(`</${open}>`)
    if (wanted) html.push(`<${wanted}>`)
    open = wanted
  }
  for (const line of markdown.trim().split(/\r?\n/)) {
    const heading = /^(#{1,4})\s+(.*)/.exec(line)
    const item = /^\s*(?:([-*+])|\d+[.)])\s+(.*)/.exec(line)
    if (item) {
      within(item[1] ? 'ul' : 'ol')
      html.push(`<li>${inline(item[2] ?? '')}</li>`)
      continue
    }
    within(undefined)
    if (heading) html.push(`<h${heading[1]?.length}>${inline(heading[2] ?? '')}</h${heading[1]?.length}>`)
    else if (line.trim()) html.push(`<p>${inline(line)}</p>`)
  }
  within(undefined)
  return html.join('')
}

const inline = (line: string) =>
  escaped(line)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|[\s(])[*_]([^*_]+)[*_](?=$|[\s).,!?])/g, '$1<em>$2</em>')
    .replace(/\[([^[\]]+)\]\((https?:[^[)\s]+)(?:\s[^[)]*)?\)/g, '<a href="$2">$1</a>')

/** Trello's label colours in the kit's palette. */
const tagColors: Record<string, { name: string; color: string }> = {
  green: { name: 'Зелёная', color: '#2f9e44' },
  yellow: { name: 'Жёлтая', color: '#f59f00' },
  orange: { name: 'Оранжевая', color: '#e8590c' },
  red: { name: 'Красная', color: '#e03131' },
  purple: { name: 'Фиолетовая', color: '#7950f2' },
  blue: { name: 'Синяя', color: '#228be6' },
  sky: { name: 'Голубая', color: '#15aabf' },
  lime: { name: 'Лаймовая', color: '#82c91e' },
  pink: { name: 'Розовая', color: '#e64980' },
  black: { name: 'Чёрная', color: '#343a40' },
}
