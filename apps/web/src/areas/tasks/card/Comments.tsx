import { Title } from '@mantine/core'
import { useId, useMemo } from 'react'
import { Block } from '#kit/Stacks.tsx'
import { CommentThread } from '#records/comments/CommentThread.tsx'
import { useTasksAddress } from '../address.ts'
import { discussionOf } from '../discussions.ts'
import type { SectionProps } from './SectionProps.ts'

/** Comments of the task. */
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
    <Block component="section" rule="top" mt={20} pt={16} aria-labelledby={heading}>
      <Title id={heading} order={3} mb={12}>
        Комментарии
      </Title>
      <CommentThread discussion={discussion} sought={address.comment} onRead={() => store.refreshTasks([task.id])} />
    </Block>
  )
}
