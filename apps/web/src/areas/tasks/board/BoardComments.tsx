import { Board } from '@ordinator/model/areas/tasks/board'
import { useMemo } from 'react'
import { useActor } from '#base/session.ts'
import { CommentThread } from '#records/comments/CommentThread.tsx'
import { useRecord } from '#records/reads.ts'
import { discussionOf } from '../discussions.ts'
import type { MemberRow } from '../people.ts'

interface Props {
  idBoard: number
  members: readonly MemberRow[]
}

/** Comments of a workspace. */
export function BoardComments({ idBoard, members }: Props) {
  const actor = useActor()
  const board = useRecord(Board, idBoard, {}, { forbidden: 'silent' })
  const me = members.find((member) => member.idUser === actor.id)
  const mayRemove = board.data?.idUser === actor.id || me?.canEditBoard === true
  const discussion = useMemo(
    () => ({ ...discussionOf('board', idBoard, members), mayRemove }),
    [idBoard, members, mayRemove],
  )
  return <CommentThread discussion={discussion} />
}
