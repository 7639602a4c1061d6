import { Board, BoardMember } from '@ordinator/model/areas/tasks/board'
import { counted } from '@ordinator/model/format'
import { IconUsersPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { StatePage } from '#kit/StatePage.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { memberForms } from '../boards/memberForms.ts'
import { notifyBoardFailure } from './boardStore.ts'
import type { BoardRow } from './useBoardData.ts'

/** Joins a public workspace (spec §7: POST on the board's own path). */
export function useJoin() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) =>
      api('POST /tasks-management/boards/:id', { params: { id }, body: {} }, { forbidden: 'toast' }),
    onError: (error) => notifyBoardFailure(error),
    onSettled: () => Promise.all([invalidateRecords(client, Board.path), invalidateRecords(client, BoardMember.path)]),
  })
}

/** Preview of a public workspace for non-members. */
export function JoinBoard({ board, back }: { board: BoardRow; back: ReactNode }) {
  const join = useJoin()
  return (
    <StatePage
      icon={IconUsersPlus}
      title={board.name}
      text={
        <>
          {board.description && <div>{board.description}</div>}
          <div>Публичное пространство, {counted(board.membersCount, memberForms)}. Вступите, чтобы видеть доску.</div>
        </>
      }
      actions={
        <>
          <ActionButton label="Вступить" loading={join.isPending} onClick={() => join.mutate(board.id)} />
          {back}
        </>
      }
    />
  )
}
