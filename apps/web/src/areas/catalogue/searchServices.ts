import { Service } from '@ordinator/model/areas/catalogue/service'
import { formatMoney } from '@ordinator/model/format'
import { choicesOf } from '#base/choiceUse.ts'
import { recordsWith } from '#base/client.ts'
import { AJAX_LIMIT, type AjaxOption } from '#kit/useAjaxOptions.ts'

/** Active services and products by words of their names and codes, as select options. */
export const searchServices = (text: string, signal: AbortSignal): Promise<AjaxOption[]> => search(text, signal, false)

/** The same for a patient who has not been to the clinic: first visits come before all others. */
export const searchFirstVisits = (text: string, signal: AbortSignal): Promise<AjaxOption[]> =>
  search(text, signal, true)

/** Above every count of choices. */
const FIRST = 1_000_000
const LESS_THAN_A_CHOICE = 0.5
/** A house call comes last, unless its words are typed: most visits are in the clinic. */
const AT_HOME = /(?<!\p{L})(?:на дом|выезд|вызов)/iu

async function search(q: string, signal: AbortSignal, isFirst: boolean): Promise<AjaxOption[]> {
  const uses = choicesOf(Service.path)
  const fields = ['nameService', 'currentPrice', 'code', 'medicalCode', 'active'] as const
  const { items } = await quiet.list(Service, { filter: { active: true }, q, limit: AJAX_LIMIT, fields }, { signal })
  return items.map(({ id, nameService, currentPrice, code, medicalCode }) => ({
    value: id,
    label: nameService,
    hint: [code, currentPrice === null ? 'без цены' : formatMoney(currentPrice)].filter(Boolean).join(' · '),
    usual:
      (uses.get(id) ?? 0) +
      (isVisitToDoctor(nameService, medicalCode) ? LESS_THAN_A_CHOICE : 0) +
      (isFirst && isFirstVisit(nameService, medicalCode) ? FIRST : 0) -
      (AT_HOME.test(nameService) && !AT_HOME.test(q) ? 2 * FIRST : 0),
  }))
}

/** By the nomenclature (order 804н) «приём первичный» is class B01 with the number 001; else by its name. */
const isFirstVisit = (name: string, code: string | null): boolean =>
  code ? /^[BВ]01\.\d{3}\.001/i.test(code) : /(?<!\p{L})первичн/iu.test(name)

/** By the nomenclature class B01, else by its name: «кардиол» is the doctor before «Антитела к кардиолипину». */
const isVisitToDoctor = (name: string, code: string | null): boolean =>
  code ? /^[BВ]01\./i.test(code) : /^(?:при[её]м|консультация|осмотр)(?!\p{L})/iu.test(name)

const quiet = recordsWith({ forbidden: 'silent' })
