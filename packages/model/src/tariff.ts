/** The account's tariff; higher ones include the lower (spec §1). */
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

/** Whether an account with tariff `owned` (default premium) includes `asked`. */
export function tariffIncludes(owned: Tariff | undefined, asked: Tariff): boolean {
  return tariffs.indexOf(owned ?? 'premium') >= tariffs.indexOf(asked)
}

/** What the account must have. */
export interface Owned {
  tariff?: Tariff
  module?: Module
}

/**
 * Paths of pages, entities and calls that need more than the lowest tariff, or a module, by prefix; the longest prefix
 * applies. A path that is missing here is open to every account.
 */
const gates: Readonly<Record<string, Owned>> = {
  deals: { tariff: 'standard' },
  funnels: { tariff: 'standard' },
  'sales-management': { tariff: 'standard' },
  intake: { tariff: 'standard' },
  'appeals/:id/lead': { tariff: 'standard' },
  'customer-plans/:id/offer': { tariff: 'standard' },
  'appointments/:id/discounts': { tariff: 'standard' },
  'deals/analytics': { tariff: 'premium' },
  'deals/:id/analytics': { tariff: 'premium' },
  'sales-management/funnels/:id/analytics': { tariff: 'premium' },
  'sales-management/leads/:id/analytics': { tariff: 'premium' },
  discounts: { tariff: 'standard' },
  discount: { tariff: 'standard' },
  regulations: { tariff: 'standard' },
  scripts: { tariff: 'standard' },
  'new-scripts': { tariff: 'standard' },
  'old-scripts': { tariff: 'standard' },
  'script-groups': { tariff: 'standard' },
  'calls/transcripts': { module: 'callTranscript' },
  'calls/transcript-lines': { module: 'callTranscript' },
  'calls/:id/transcript': { module: 'callTranscript' },
  'calls/:id/prompt': { module: 'callPrompts' },
  'examinations/:id/prompt': { module: 'protocolPrompts' },
  'journal/calls/transcripts': { module: 'callTranscript' },
  dialogs: { module: 'doctorDialogs' },
  'protocol-prompts': { module: 'protocolPrompts' },
  'call-prompts': { module: 'callPrompts' },
  'settings/channels': { module: 'omnichannel' },
  'settings/socials': { module: 'omnichannel' },
  'live-assist/channels': { module: 'omnichannel' },
  'clinical-recommendations': { module: 'clinicalRecommendations' },
  'reports/clinical-recommendations': { module: 'clinicalRecommendations' },
}

/** The condition for the path of a page, an entity or a call; undefined: any tariff. */
export function gateOf(path: string): Owned | undefined {
  if (known.has(path)) return known.get(path)
  const gate = longest(path)
  if (known.size < MAX_KNOWN) known.set(path, gate)
  return gate
}

/** Cached, since every call checks its entity's path. */
const known = new Map<string, Owned | undefined>()
const MAX_KNOWN = 1_000

function longest(path: string): Owned | undefined {
  const parts = path.replace(/^\//, '').split('/')
  for (let length = parts.length; length > 0; length--) {
    const begun = parts.slice(0, length).join('/')
    if (Object.hasOwn(gates, begun)) return gates[begun]
  }
  return undefined
}
