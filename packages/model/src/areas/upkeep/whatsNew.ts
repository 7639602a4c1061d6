import { type Actor, allowed } from '../../access.ts'
import type { Permission } from '../../permissions.ts'

/** What staff notice of an update; the operator's part is CHANGELOG.md. */
export interface Release {
  /** The day of the release; releases are compared by it. */
  key: string
  items: readonly { text: string; any?: readonly Permission[] }[]
}

/** The newest first. A release is shown once to whoever holds one of `any`; an item without it to everybody. */
export const releases: readonly Release[] = [
  {
    key: '2026-11-27',
    items: [
      {
        text: 'Отсутствие врача отмечается клавишей «о» в расписании, а его визиты переносятся в одном окне',
        any: ['editAppointments'],
      },
      { text: 'В чате можно записать пациента и завести карту, не уходя из разговора', any: ['supportOperator'] },
      { text: 'Пропущенный звонок становится задачей того, кому звонили', any: ['viewCallJournal'] },
      { text: 'Диагноз ищется обычными словами, ваши частые — первыми', any: ['editExaminations'] },
      { text: 'Отчёты открываются до строк, из которых сложилась сумма', any: ['viewKpiReport'] },
      { text: 'Вход можно защитить вторым фактором: «Профиль → Вход и безопасность»' },
      {
        text: 'Резервные копии делаются и проверяются сами: «Настройки → Резервные копии»',
        any: ['mainSettings'],
      },
      { text: '«Состояние системы» говорит, что не в порядке и что делать', any: ['mainSettings'] },
    ],
  },
]

/** What is new to this person since the release that was seen last. @param seen its key; '' for none */
export const newFor = (actor: Actor, seen: string, all = releases): readonly string[] =>
  all
    .filter(({ key }) => key > seen)
    .flatMap(({ items }) => items)
    .filter(({ any }) => any === undefined || any.some((right) => allowed(actor, right)))
    .map(({ text }) => text)
