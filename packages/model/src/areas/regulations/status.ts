/** Regulation statuses (spec §4). A new regulation is a draft. */
export const regulationStatuses = {
  template: 'Черновик',
  review: 'На проверке',
  approved: 'Утвержден',
  active: 'Активный',
  archived: 'Архивный',
} as const
export type RegulationStatus = keyof typeof regulationStatuses

/** Transitions of a status (design §10). A new version is a separate record, not a transition. */
const following: Readonly<Record<RegulationStatus, readonly RegulationStatus[]>> = {
  template: ['review'],
  review: ['approved', 'template'],
  approved: ['active', 'template'],
  active: ['archived'],
  archived: [],
}

/** Labels of transitions. */
export const transitionLabels: Readonly<Record<RegulationStatus, string>> = {
  template: 'Вернуть в черновики',
  review: 'Отправить на проверку',
  approved: 'Утвердить',
  active: 'Ввести в действие',
  archived: 'Отправить в архив',
}

/** Transitions available now: approval needs the agreement of all reviewers. */
export const openTransitions = (status: RegulationStatus, isAgreed: boolean): readonly RegulationStatus[] =>
  following[status].filter((to) => to !== 'approved' || isAgreed)

export const mayFollow = (from: RegulationStatus, to: RegulationStatus): boolean => following[from].includes(to)

/** Returning to draft needs a reason (design §10). */
export const needsReason = (to: RegulationStatus): boolean => to === 'template'

/** Only a draft can be edited; a version in force is replaced by a new one. */
export const isDraft = (status: RegulationStatus): boolean => status === 'template'

/** Why a regulation in this status cannot be edited, in Russian. */
export const whyFixed: Readonly<Record<Exclude<RegulationStatus, 'template'>, string>> = {
  review: 'Регламент на проверке: чтобы изменить его, верните его в черновики',
  approved: 'Регламент утверждён: чтобы изменить его, верните его в черновики',
  active: 'Действующий регламент меняется только новой версией',
  archived: 'Архивный регламент не меняется: создайте новую версию',
}

/** Why a regulation in this status cannot be deleted; drafts and archived ones can. */
export const whyKept: Partial<Record<RegulationStatus, string>> = {
  review: 'Регламент на проверке: сначала верните его в черновики',
  approved: 'Регламент утверждён: сначала верните его в черновики',
  active: 'Действующий регламент нельзя удалить: сначала отправьте его в архив',
}

/** A version in preparation; a regulation has at most one. */
export const isOnItsWay = (status: RegulationStatus): boolean =>
  status === 'template' || status === 'review' || status === 'approved'

/** True when a new version can be made: of a version that is or was in force. */
export const mayHaveNewVersion = (status: RegulationStatus): boolean => status === 'active' || status === 'archived'
