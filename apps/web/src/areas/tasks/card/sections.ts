import type { ComponentType } from 'react'
import { TaskRegulations } from '../../regulations/index.ts'
import type { BoardStore } from '../board/boardStore.ts'
import type { BoardData, BoardRights } from '../board/useBoardData.ts'
import { Comments } from './Comments.tsx'
import type { FullCard } from './fullCard.ts'
import { Links } from './Links.tsx'
import { Reminder } from './Reminder.tsx'
import { StateBar } from './StateBar.tsx'
import { Subtasks } from './Subtasks.tsx'
import { TemplateNote } from './TemplateNote.tsx'
import { Things } from './Things.tsx'
import { Watchers } from './Watchers.tsx'

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

export type Section = ComponentType<SectionProps>

/** Parts of the open card beyond its own fields, in their order: above the fields on the side, below them, and in the middle. */
export const stateSections: Section[] = [TemplateNote, StateBar]
export const sideSections: Section[] = [Reminder, Links, Watchers]
export const mainSections: Section[] = [Subtasks, Things, TaskRegulations, Comments]
