import { transitions, type VisitStatus, visitStatuses } from '@ordinator/model/areas/visits/rules'
import {
  IconArrowForwardUp,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleDot,
  IconCircleX,
  IconProgress,
  IconUserCheck,
  IconUserOff,
  type TablerIcon,
} from '@tabler/icons-react'

/** Look of a status: colour, icon and text, never only a colour. */
export const statusLooks: Record<VisitStatus, { icon: TablerIcon; color: string }> = {
  booked: { icon: IconCircleDashed, color: 'light-dark(#4a6a8a, #8fb0d0)' },
  confirmed: { icon: IconCircleDot, color: 'light-dark(#1c6fb8, #6cb4f0)' },
  arrived: { icon: IconUserCheck, color: 'light-dark(#a15c07, #f5b95c)' },
  inProgress: { icon: IconProgress, color: 'light-dark(#7a3fb0, #c79bf2)' },
  completed: { icon: IconCircleCheck, color: 'light-dark(#15803d, #4ade80)' },
  noShow: { icon: IconUserOff, color: 'light-dark(#b4232c, #ff8a8a)' },
  cancelled: { icon: IconCircleX, color: 'light-dark(#667373, #9eaaaa)' },
  moved: { icon: IconArrowForwardUp, color: 'light-dark(#667373, #9eaaaa)' },
}

/** Button labels by target status. */
export const statusActs: Record<VisitStatus, string> = {
  booked: 'Вернуть в «Записан»',
  confirmed: 'Подтвердить',
  arrived: 'Пришёл',
  inProgress: 'Начать приём',
  completed: 'Завершить приём',
  noShow: 'Не пришёл',
  cancelled: 'Отменить запись',
  moved: 'Перенесён',
}

const back: { [From in VisitStatus]?: Partial<Record<VisitStatus, string>> } = {
  inProgress: { arrived: 'Вернуть в «Пришёл»' },
  completed: { inProgress: 'Возобновить приём' },
}

/** Button label of a transition; «…» if it opens a dialog. */
export function actWords(from: VisitStatus, to: VisitStatus): string {
  const words = back[from]?.[to] ?? statusActs[to]
  return to === 'cancelled' ? `${words}…` : words
}

/** The usual next status, with a key and a button. */
const usual: Partial<Record<VisitStatus, VisitStatus>> = {
  booked: 'arrived',
  confirmed: 'arrived',
  arrived: 'inProgress',
  inProgress: 'completed',
  noShow: 'arrived',
}
export const nextStatus = (status: VisitStatus): VisitStatus | undefined => usual[status]

/** Possible next statuses, the usual one first. */
export function waysOf(status: VisitStatus): VisitStatus[] {
  const ways = (Object.keys(visitStatuses) as VisitStatus[]).filter((to) => transitions[status][to] !== undefined)
  const next = nextStatus(status)
  return next && ways.includes(next) ? [next, ...ways.filter((way) => way !== next)] : ways
}

/** True for statuses of patients not arrived yet. */
export const isExpected = (status: VisitStatus): boolean => status === 'booked' || status === 'confirmed'

/** True for a forward transition; others undo. */
export const isForward = (from: VisitStatus, to: VisitStatus): boolean =>
  back[from]?.[to] === undefined &&
  (to === 'confirmed' || to === 'arrived' || to === 'inProgress' || to === 'completed')
