import type { ComponentType } from 'react'
import { TaskRegulations } from '#areas/regulations/index.ts'
import { Comments } from './Comments.tsx'
import { Links } from './Links.tsx'
import { Reminder } from './Reminder.tsx'
import type { SectionProps } from './SectionProps.ts'
import { StateBar } from './StateBar.tsx'
import { Subtasks } from './Subtasks.tsx'
import { TaskCustomers } from './TaskCustomers.tsx'
import { TemplateNote } from './TemplateNote.tsx'
import { Things } from './Things.tsx'
import { Watchers } from './Watchers.tsx'

type Section = ComponentType<SectionProps>

/** Sections of the open card in order: side above the fields, side below, and middle. */
export const stateSections: Section[] = [TemplateNote, StateBar]
export const sideSections: Section[] = [Reminder, Links, Watchers, TaskCustomers]
export const mainSections: Section[] = [Subtasks, Things, TaskRegulations, Comments]
