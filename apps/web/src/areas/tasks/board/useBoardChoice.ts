import { Board, BoardColumn } from '@ordinator/model/areas/tasks/board'
import { useList } from '#records/reads.ts'

/** The user's workspaces, and the columns of the selected one. */
export function useBoardChoice(idBoard: number | undefined) {
  const boards = useList(Board, { sort: 'name', limit: 500 }, { forbidden: 'silent' })
  const columns = useList(
    BoardColumn,
    { filter: { idBoard: idBoard ?? 0 }, sort: 'order', limit: 100 },
    { enabled: idBoard !== undefined, forbidden: 'silent' },
  )
  return {
    boards: (boards.data?.items ?? [])
      .filter((board) => board.isMember)
      .map((board) => ({ value: String(board.id), label: board.name })),
    columns: (columns.data?.items ?? [])
      .filter((column) => column.idBoard === idBoard)
      .map((column) => ({ value: String(column.id), label: column.name })),
  }
}
