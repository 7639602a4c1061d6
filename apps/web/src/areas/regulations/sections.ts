import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import type { ComponentType } from 'react'
import type { DraftActs } from './editor/useRegulationDraft.ts'

/** What every part of the open regulation is given. */
export interface ViewPartProps {
  view: RegulationView
}

/** A tab of the open regulation beyond its steps and versions. */
export interface ViewTab {
  key: string
  label: string
  Part: ComponentType<ViewPartProps>
  /** Absent: always. */
  isShown?: (view: RegulationView) => boolean
}

/** Parts of the open regulation, in their order: tabs, buttons of its head, items of its menu. */
export const viewTabs: readonly ViewTab[] = []
export const viewActions: readonly ComponentType<ViewPartProps>[] = []
export const viewMenu: readonly ComponentType<ViewPartProps>[] = []

/** Controls of the head of a new regulation; what they make is put into the form by its acts. */
export const createTools: readonly ComponentType<{ acts: DraftActs }>[] = []

/** Parts of the tab «Ознакомление и тест» of the form, saved by themselves. */
export const settingsSections: readonly ComponentType<{ idRegulation: number }>[] = []
