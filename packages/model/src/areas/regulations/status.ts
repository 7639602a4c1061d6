/** Regulation statuses (spec §4). A new regulation is a draft. */
export const regulationStatuses = {
  template: 'Черновик',
  review: 'На проверке',
  approved: 'Утвержден',
  active: 'Активный',
  archived: 'Архивный',
} as const
export type RegulationStatus = keyof typeof regulationStatuses

/** What may follow a status (design §10). Another version is a record of its own, not a step of this one. */
const following: Readonly<Record<RegulationStatus, readonly RegulationStatus[]>> = {
  template: ['review'],
  review: ['approved', 'template'],
  approved: ['active', 'template'],
  active: ['archived'],
  archived: [],
}

/** What a transition is called where it is asked for. */
export const transitionLabels: Readonly<Record<RegulationStatus, string>> = {
  template: 'Вернуть в черновики',
  review: 'Отправить на проверку',
  approved: 'Утвердить',
  active: 'Ввести в действие',
  archived: 'Отправить в архив',
}

/** The transitions that may be asked for now: an approval waits until all who are named to check have agreed. */
export const openTransitions = (status: RegulationStatus, isAgreed: boolean): readonly RegulationStatus[] =>
  following[status].filter((to) => to !== 'approved' || isAgreed)

export const mayFollow = (from: RegulationStatus, to: RegulationStatus): boolean => following[from].includes(to)

/** A return to the drafts says why (design §10). */
export const needsReason = (to: RegulationStatus): boolean => to === 'template'

/** Only a draft is written in; what is in force is followed by a new version. */
export const isDraft = (status: RegulationStatus): boolean => status === 'template'

/** Why the content of a regulation in this status does not change, in words. */
export const whyFixed: Readonly<Record<Exclude<RegulationStatus, 'template'>, string>> = {
  review: 'Регламент на проверке: чтобы изменить его, верните его в черновики',
  approved: 'Регламент утверждён: чтобы изменить его, верните его в черновики',
  active: 'Действующий регламент меняется только новой версией',
  archived: 'Архивный регламент не меняется: создайте новую версию',
}

/** Why a regulation in this status is not deleted: drafts and what is in the archive may be thrown away. */
export const whyKept: Partial<Record<RegulationStatus, string>> = {
  review: 'Регламент на проверке: сначала верните его в черновики',
  approved: 'Регламент утверждён: сначала верните его в черновики',
  active: 'Действующий регламент нельзя удалить: сначала отправьте его в архив',
}

/** A version on its way to being in force; a regulation has one at most. */
export const isOnItsWay = (status: RegulationStatus): boolean =>
  status === 'template' || status === 'review' || status === 'approved'

/** Whether a new version can be made of it: of what is, or was, in force. */
export const mayHaveNewVersion = (status: RegulationStatus): boolean => status === 'active' || status === 'archived'
