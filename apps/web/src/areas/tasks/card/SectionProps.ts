import type { BoardStore } from '../board/boardStore.ts'
import type { BoardData, BoardRights } from '../board/useBoardData.ts'
import type { FullCard } from './fullCard.ts'

/** Props of all parts of the open card. */
export interface SectionProps {
  card: FullCard
  data: BoardData
  rights: BoardRights
  store: BoardStore
  /** The user may edit the task. */
  mayEdit: boolean
  onClose: () => void
}
