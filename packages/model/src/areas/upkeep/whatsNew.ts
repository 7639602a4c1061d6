import { type Actor, allowed } from '../../access.ts'
import type { Permission } from '../../permissions.ts'

/** Changes of a release for the staff; those for operators are in CHANGELOG.md. */
export interface Release {
  /** Day of the release; releases are sorted by it. */
  key: string
  items: readonly { text: string; any?: readonly Permission[] }[]
}

/** Newest first. A release is shown once to each user with one of `any`; items without it to everybody. */
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

/** News for this user since the last seen release. @param lastSeen its key; '' for none */
export const newFor = (actor: Actor, lastSeen: string, all = releases): readonly string[] =>
  all
    .filter(({ key }) => key > lastSeen)
    .flatMap(({ items }) => items)
    .filter(({ any }) => any === undefined || any.some((right) => allowed(actor, right)))
    .map(({ text }) => text)
