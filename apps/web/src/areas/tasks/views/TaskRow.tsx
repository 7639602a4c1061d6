import { stateText } from '@ordinator/model/areas/tasks/states'
import { IconAlertTriangle, IconCalendarEvent } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { PageLink } from '#base/PageLink.tsx'
import rowLink from '#kit/rowLink.module.css'
import { Dot, HStack } from '#kit/Stacks.tsx'
import { UserFace } from '#kit/UserLink.tsx'
import type { CardTag } from '../cards.ts'
import { dueOf } from '../dueDate.ts'
import { importanceColor, importanceWord } from '../importance.ts'
import type { TaskPerson } from '../people.ts'
import classes from './TaskRow.module.css'

const MAX_TAGS = 3
const MAX_PEOPLE = 3

export interface RowTask {
  id: number
  name: string
  importance: number
  isCompleted: boolean
  isWaitCheck: boolean
  isNeedChange: boolean
  dateWorkStart: string | null
  dateEnd: string | null
  executors: TaskPerson[]
  tags: CardTag[]
}

interface Props {
  task: RowTask
  /** URL parameters of its card; absent: no visible card. */
  opens?: Record<string, unknown>
  /** Workspace and column, or only the column. */
  place?: ReactNode
}

/** A task as one compact line. */
export function TaskRow({ task, opens, place }: Props) {
  const due = dueOf(task)
  return (
    <li className={classes.row} data-done={task.isCompleted || undefined}>
      <span
        className={classes.bar}
        style={{ background: importanceColor(task.importance) }}
        title={`Важность ${task.importance} из 10, ${importanceWord(task.importance)}`}
      />
      {opens ? (
        <PageLink
          search={(now) => ({ ...now, ...opens })}
          className={`${rowLink.name} ${classes.name}`}
          data-row
          resetScroll={false}
        >
          {task.name}
        </PageLink>
      ) : (
        <span className={`${rowLink.name} ${classes.name}`}>{task.name}</span>
      )}
      <span className={classes.tags}>
        {task.tags.slice(0, MAX_TAGS).map((tag) => (
          <HStack key={tag.id} component="span" gap={4} display="inline-flex" c="dimmed" fz={12} className="nowrap">
            <Dot color={tag.color} />
            {tag.name}
          </HStack>
        ))}
        {task.tags.length > MAX_TAGS && (
          <HStack component="span" gap={4} display="inline-flex" c="dimmed" fz={12} className="nowrap">
            +{task.tags.length - MAX_TAGS}
          </HStack>
        )}
      </span>
      <span className={classes.state} data-late={due?.state === 'overdue' || undefined}>
        {stateText(task)}
      </span>
      <span className={classes.place}>{place}</span>
      <span className={classes.due} data-state={due?.state}>
        {due && (
          <>
            {due.state === 'overdue' ? (
              <IconAlertTriangle size={14} aria-hidden />
            ) : (
              <IconCalendarEvent size={14} aria-hidden />
            )}
            {due.text}
          </>
        )}
      </span>
      <span className={classes.people}>
        {task.executors.slice(0, MAX_PEOPLE).map((p) => (
          <UserFace key={p.id} user={p.member?.user ?? {}} size={24} />
        ))}
        {task.executors.length > MAX_PEOPLE && (
          <HStack component="span" gap={4} display="inline-flex" c="dimmed" fz={12} className="nowrap">
            +{task.executors.length - MAX_PEOPLE}
          </HStack>
        )}
      </span>
    </li>
  )
}
