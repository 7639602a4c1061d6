import type { BoardStore } from '../board/boardStore.ts'
import type { BoardData, BoardRights } from '../board/useBoardData.ts'
import type { FullCard } from './fullCard.ts'

/** What every part of the open card is given. */
export interface SectionProps {
  card: FullCard
  data: BoardData
  rights: BoardRights
  store: BoardStore
  /** The user may change the task. */
  mayEdit: boolean
  onClose: () => void
}
