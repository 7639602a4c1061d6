import { useId, useMemo } from 'react'
import { CommentThread } from '../../../records/comments/CommentThread.tsx'
import { useTasksAddress } from '../address.ts'
import { discussionOf } from '../discussions.ts'
import classes from './Comments.module.css'
import type { SectionProps } from './SectionProps.ts'

/** What is said of the task. */
export function Comments({ card, data, rights, store }: SectionProps) {
  const heading = useId()
  const [address] = useTasksAddress()
  const { task } = card
  const { idBoard } = store.scope
  const mayRemove = rights.task('delete', task)
  const discussion = useMemo(
    () => ({
      ...discussionOf('task', task.id, data.members),
      address: (id: number) => `/tasks?board=${idBoard}&assignedColumn=${card.id}&comment=${id}`,
      mayRemove,
    }),
    [task.id, data.members, idBoard, card.id, mayRemove],
  )
  return (
    <section className={classes.section} aria-labelledby={heading}>
      <h3 id={heading} className={classes.title}>
        Комментарии
      </h3>
      <CommentThread discussion={discussion} sought={address.comment} onRead={() => store.refreshTasks([task.id])} />
    </section>
  )
}
