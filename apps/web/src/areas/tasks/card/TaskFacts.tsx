import { formatDateTime } from '#kit/clock.ts'
import classes from '#kit/openCard.module.css'
import { UserLink } from '#kit/UserLink.tsx'
import type { FullCard } from './fullCard.ts'

/** Author and moments of the task. */
export const TaskFacts = ({ task }: { task: FullCard['task'] }) => (
  <dl className={classes.facts}>
    <dt>Создал</dt>
    <dd>
      <UserLink user={task.user ?? {}} />
    </dd>
    <dt>Создана</dt>
    <dd className="tabular">{formatDateTime(task.dateCreate)}</dd>
    <dt>Изменена</dt>
    <dd className="tabular">{formatDateTime(task.dateChange)}</dd>
    {task.dateCompleted && (
      <>
        <dt>Завершена</dt>
        <dd className="tabular">{formatDateTime(task.dateCompleted)}</dd>
      </>
    )}
  </dl>
)
