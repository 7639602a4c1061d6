import { type Actor, holds } from '@ordinator/model/access'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import type { ComponentType } from 'react'
import { ImportDocxButton } from './docx/ImportDocxButton.tsx'
import { PaperItems } from './docx/PaperItems.tsx'
import type { DraftActs } from './editor/useRegulationDraft.ts'
import { Audience } from './reads/Audience.tsx'
import { ReadBanner, ReadConfirm } from './reads/ReadBanner.tsx'
import { ReadingTab } from './reads/ReadingTab.tsx'
import { RunAction } from './runs/RunAction.tsx'
import { RunsTab } from './runs/RunsTab.tsx'
import { ViolationsTab } from './violations/ViolationsTab.tsx'

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
  isShown?: (view: RegulationView, actor: Actor) => boolean
}

/** Parts of the open regulation, in their order: tabs, buttons of its head, items of its menu. */
export const viewTabs: readonly ViewTab[] = [
  { key: 'reads', label: 'Ознакомление', Part: ReadingTab, isShown: isKept },
  { key: 'runs', label: 'Выполнения', Part: RunsTab, isShown: wasInForce },
  { key: 'violations', label: 'Нарушения', Part: ViolationsTab, isShown: wasInForce },
]
export const viewActions: readonly ComponentType<ViewPartProps>[] = [RunAction]
export const viewMenu: readonly ComponentType<ViewPartProps>[] = [PaperItems]

/** Over and under the steps. */
export const overSteps: readonly ComponentType<ViewPartProps>[] = [ReadBanner]
export const underSteps: readonly ComponentType<ViewPartProps>[] = [ReadConfirm]

/** Controls of the form's head; what they make is put into the form by its acts. */
export interface FormToolProps {
  acts: DraftActs
  /** The regulation is not there yet. */
  isNew: boolean
}
export const formTools: readonly ComponentType<FormToolProps>[] = [ImportDocxButton]

/** Parts of the tab «Ознакомление и тест» of the form, saved by themselves. */
export const settingsSections: readonly ComponentType<{ idRegulation: number }>[] = [Audience]

/** Of those who write regulations, and of who answers for this one. */
function isKept(view: RegulationView, actor: Actor): boolean {
  return holds(actor, 'editScripts') || view.idResponsibleUser === actor.id
}

function wasInForce({ status }: RegulationView): boolean {
  return status === 'active' || status === 'archived'
}
