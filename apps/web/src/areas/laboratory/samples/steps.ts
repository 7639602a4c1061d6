import { type SampleStatus, type SampleStep, sampleSteps } from '@ordinator/model/areas/laboratory/states'
import { pageByKey } from '@ordinator/model/pages'
import type { Answer } from '#base/api.ts'

export const page = pageByKey('labSamples')

type Scanned = Answer<'POST /laboratory/samples/scan'>

/** Scan modes, in the order of the keys 1…7; «Показать» changes nothing. */
export const steps = [
  'take',
  'pack',
  'receive',
  'begin',
  'archive',
  'reject',
  'dispose',
] as const satisfies readonly SampleStep[]

export type Mode = (typeof steps)[number] | 'show'

export const modes: Record<Mode, string> = {
  ...(Object.fromEntries(steps.map((step) => [step, sampleSteps[step].label])) as Record<
    (typeof steps)[number],
    string
  >),
  show: 'Показать',
}

/** State of the tubes listed beside each mode. */
export const waits: Record<Mode, SampleStatus> = {
  take: 'planned',
  pack: 'taken',
  receive: 'shipped',
  begin: 'received',
  archive: 'inWork',
  reject: 'taken',
  dispose: 'archived',
  show: 'planned',
}

export const done: Record<Mode, string> = {
  take: 'Взята',
  pack: 'Упакована',
  receive: 'Принята',
  begin: 'В работе',
  archive: 'В архиве',
  reject: 'Забракована',
  dispose: 'Утилизирована',
  show: 'Найдена',
}

export interface Verdict {
  code: string
  sample?: Scanned
  error?: string
}
