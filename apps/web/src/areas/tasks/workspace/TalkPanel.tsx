import { SidePanel } from '#kit/SidePanel.tsx'
import { BoardComments } from '../board/BoardComments.tsx'
import type { BoardRow } from '../board/useBoardData.ts'
import type { MemberRow } from '../people.ts'

interface Props {
  board: BoardRow
  members: readonly MemberRow[]
  onClose: () => void
}

/** Comments of the workspace. */
export default function TalkPanel({ board, members, onClose }: Props) {
  return (
    <SidePanel opened onClose={onClose} title="Обсуждение">
      <BoardComments idBoard={board.id} members={members} />
    </SidePanel>
  )
}
