import { type Stage, stageTypes } from '@ordinator/model/areas/sales/funnel'
import { Lead, LeadTag } from '@ordinator/model/areas/sales/lead'
import type { AnyFilter } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { choice } from '#records/filters/choice.tsx'
import { filters, type ValuesOf } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { search } from '#records/filters/search.ts'
import { words } from '#records/filters/words.tsx'

const DAY_MS = 24 * 3600_000

/** Stage types in the URL; values are their ids. */
const typeWords = { work: 1, done: 2, loss: 3 } as const

interface Asker {
  idUser: number
  stages: readonly Pick<Row<typeof Stage>, 'id' | 'daysLimit'>[]
  /** Reference time for lateness and ages. */
  now: Date
}

/** Filters of deals. */
export const dealFilters = filters(Lead, {
  q: search(['title', 'contacts.fio', 'contacts.email', 'company.name'], {
    phones: ['contacts.phone'],
    label: 'Поиск сделки',
    placeholder: 'Сделка, контакт, телефон',
    hotkey: { label: 'Поиск по сделкам', group: 'Доска' },
  }),
  responsible: refs('responsible.idUser', { label: 'Ответственный' }),
  source: refs('idSource'),
  type: choice('typeStage', {
    label: 'Тип этапа',
    options: { work: stageTypes[1], done: stageTypes[2], loss: stageTypes[3] },
    values: typeWords,
  }),
  tags: words('tags.name', { label: 'Метки', of: LeadTag }),
  created: period('dateCreate', { label: 'Созданы' }),
  expected: period('dateExpected', { label: 'Ожидаются' }),
  mine: flag('Только мои', ({ idUser }: Asker) => ({ 'responsible.idUser': idUser }), { toggle: true }),
  idle: flag(
    'Без следующего шага',
    { nextStep: null, dateNextStep: null, typeStage: typeWords.work },
    { toggle: true },
  ),
  stuck: flag('Застряли', stuck, { toggle: true, panel: 'Застряли на этапе' }),
  late: flag(
    'Шаг просрочен',
    ({ now }: Asker) => ({ dateNextStep: { lt: now.toISOString() }, typeStage: typeWords.work }),
    { panel: 'Следующий шаг просрочен' },
  ),
})
export type DealFilters = ValuesOf<typeof dealFilters>

/** Longer in the stage than its limit; empty without limits. */
function stuck({ stages, now }: Asker): AnyFilter {
  const limited = stages.flatMap(({ id, daysLimit }) =>
    daysLimit ? [{ idStage: id, dateStage: { lt: new Date(now.getTime() - daysLimit * DAY_MS).toISOString() } }] : [],
  )
  return limited.length ? { or: limited } : { id: 0 }
}
