/** Helpers for new deals, shared by processing of requests and import. */
import { LeadResponsible } from '@ordinator/model/areas/sales/lead'
import { nameSpelling } from '@ordinator/model/spelling'
import type { Records } from '#records/records.ts'

/** Assigns a new deal, which belongs to its author, to these people. */
export async function giveTo(records: Records, idLead: number, people: readonly number[]): Promise<void> {
  const own = await records.rows(LeadResponsible, { 'filter[idLead]': String(idLead), limit: '50' })
  for (const idUser of people)
    if (!own.some((one) => one.idUser === idUser)) await records.create(LeadResponsible, { idLead, idUser })
  for (const one of own)
    if (one.idUser === records.actor.id && !people.includes(one.idUser)) await records.remove(LeadResponsible, one.id)
}

/** Splits «Иванова Анна Петровна» into its parts; a less clear name is kept whole. */
export function namesOf(written: string): { surname?: string; name?: string; middleName?: string } {
  const [surname = '', name = '', middleName = '', ...more] = nameSpelling(written).split(' ')
  const isWhole = more.length === 0 && /(вич|вна|чна|ьич|оглы|кызы)$/i.test(middleName)
  return isWhole ? { surname, name, middleName } : { name: written }
}
