import { Text } from '@mantine/core'
import { stateText } from '@ordinator/model/areas/tasks/states'
import { Assigned } from '@ordinator/model/areas/tasks/task'
import { useMemo } from 'react'
import { formatDateTime } from '#kit/clock.ts'
import { UserLink, UserLinks } from '#kit/UserLink.tsx'
import { RecordTable } from '#records/RecordTable.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import type { SetTasksAddress } from '../address.ts'
import type { BoardData, BoardRights, ColumnRow } from '../board/useBoardData.ts'
import type { Card, CardFilter } from '../cards.ts'
import { dueOf } from '../dueDate.ts'
import { importanceColor } from '../importance.ts'
import type { TaskPerson } from '../people.ts'
import classes from './TableView.module.css'
import type { RowTask } from './TaskRow.tsx'
import { useBulkActions } from './useBulkActions.tsx'

interface Props {
  data: BoardData
  rights: BoardRights
  columns: readonly ColumnRow[]
  filter: CardFilter
  setAddress: SetTasksAddress
}

/** Tasks of a workspace as a table: columns, sorting, paging, bulk actions, export. */
export default function TableView({ data, rights, columns, filter, setAddress }: Props) {
  const actions = useBulkActions(data, rights, () => {})
  const specs = useMemo(() => specsOf(columns), [columns])
  return (
    <div className={classes.table}>
      <RecordTable
        entity={Assigned}
        bare
        prefix="table-"
        columns={specs}
        expand={['task.executors.member.user', 'task.responsible.member.user', 'task.tags', 'task.user']}
        filter={{ and: [{ idColumn: { in: columns.map((column) => column.id) } }, filter] }}
        defaults={{ limit: 50, sort: 'task.dateEnd' }}
        onOpen={(row) => setAddress({ assignedColumn: row.id })}
        hrefOf={(row) => `/tasks?board=${columns[0]?.idBoard}&assignedColumn=${row.id}`}
        actions={actions}
        removable={false}
        isMuted={(row) => row.task.isCompleted}
        empty={{ title: 'Задач нет', text: 'Здесь появятся задачи рабочего пространства' }}
      />
    </div>
  )
}

type Row = Card & {
  task: RowTask & { dateStart: string | null; dateCreate: string; user?: { shortFio?: string | null } | null }
}

function specsOf(columns: readonly ColumnRow[]): ColumnSpec<Row>[] {
  const people = (list: TaskPerson[]) => <UserLinks users={list.map((p) => p.member?.user ?? {})} />
  return [
    {
      key: 'task.name',
      exported: 'task.name',
      label: 'Название',
      width: 280,
      sort: 'task.name',
      cell: ({ task }) => (
        <span className={classes.name}>
          <span className={classes.bar} style={{ background: importanceColor(task.importance) }} />
          <Text span truncate inherit title={task.name}>
            {task.name}
          </Text>
        </span>
      ),
    },
    {
      key: 'idColumn',
      exported: 'column.name',
      label: 'Колонка',
      width: 140,
      sort: false,
      cell: (card) => columns.find((c) => c.id === card.idColumn)?.name,
    },
    { key: 'state', label: 'Состояние', width: 128, cell: ({ task }) => stateText(task) },
    {
      key: 'task.importance',
      exported: 'task.importance',
      label: 'Важность',
      width: 124,
      align: 'right',
      sort: 'task.importance',
      cell: ({ task }) => task.importance,
    },
    {
      key: 'task.dateEnd',
      exported: 'task.dateEnd',
      label: 'Срок',
      width: 152,
      sort: 'task.dateEnd',
      cell: ({ task }) => (
        <span className={classes.due} data-state={dueOf(task)?.state}>
          {task.dateEnd && formatDateTime(task.dateEnd)}
        </span>
      ),
    },
    {
      key: 'task.executors',
      exported: 'task.executors.member.user.fio',
      label: 'Исполнители',
      width: 184,
      cell: ({ task }) => people(task.executors),
    },
    {
      key: 'task.tags',
      exported: 'task.tags.name',
      label: 'Метки',
      width: 160,
      cell: ({ task }) => task.tags.map((tag) => tag.name).join(', '),
    },
    {
      key: 'task.responsible',
      exported: 'task.responsible.member.user.fio',
      label: 'Ответственные',
      width: 184,
      hidden: true,
      cell: (card) => people(card.task.responsible),
    },
    {
      key: 'task.user',
      exported: 'task.user.fio',
      label: 'Создатель',
      width: 160,
      hidden: true,
      cell: ({ task }) => task.user && <UserLink user={task.user} />,
    },
    {
      key: 'task.dateStart',
      exported: 'task.dateStart',
      label: 'Начало',
      width: 152,
      hidden: true,
      sort: 'task.dateStart',
      cell: ({ task }) => task.dateStart && formatDateTime(task.dateStart),
    },
    {
      key: 'task.dateCreate',
      exported: 'task.dateCreate',
      label: 'Создана',
      width: 152,
      hidden: true,
      sort: 'task.dateCreate',
      cell: ({ task }) => formatDateTime(task.dateCreate),
    },
  ]
}
