/**
 * Dictionaries of sick leaves: part of the clinic's dated dictionaries (`dictionaries`), as orders of the ministry
 * change them. The product ships the codes of приказ № 1089н.
 */
export const elnDictionaries = {
  reason: 'eln-reason',
  reasonAdd: 'eln-reason-add',
  breach: 'eln-breach',
  result: 'eln-result',
  relation: 'eln-relation',
} as const
export type ElnDictionary = keyof typeof elnDictionaries

export interface ElnCode {
  code: string
  name: string
}
export type ElnCodes = Readonly<Record<ElnDictionary, readonly ElnCode[]>>

/** «01 заболевание»; only the code if no dictionary of that day has it. */
export const codeText = (codes: readonly ElnCode[] | undefined, code: string | null): string => {
  if (!code) return ''
  const name = codes?.find((one) => one.code === code)?.name
  return name ? `${code} ${name}` : code
}
