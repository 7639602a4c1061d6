/** The account's tariff, the lower ones included in the higher (spec §1). */
export const tariffs = ['basic', 'standard', 'premium'] as const
export type Tariff = (typeof tariffs)[number]

export const tariffLabels: Record<Tariff, string> = { basic: 'Базовый', standard: 'Стандарт', premium: 'Премиум' }

/** The optional modules of an account (spec §1). */
export const moduleLabels = {
  clinicalRecommendations: 'Клинические рекомендации',
  omnichannel: 'Омниканальность',
  documentManagement: 'Документооборот',
  doctorDialogs: 'Диалоги с врачами',
  callPrompts: 'Подсказки для звонков',
  callTranscript: 'Расшифровка звонков',
  protocolPrompts: 'Подсказки для протоколов',
} as const
export type Module = keyof typeof moduleLabels
export const modules = Object.keys(moduleLabels) as Module[]

/** Whether an account on `owned` (premium when none is given) may use what asks for `asked`. */
export function tariffIncludes(owned: Tariff | undefined, asked: Tariff): boolean {
  return tariffs.indexOf(owned ?? 'premium') >= tariffs.indexOf(asked)
}
