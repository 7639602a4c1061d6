/**
 * Operands of KPI formulas. Each is a measure of the catalogue (`measures.ts`), so that KPI shows the numbers of the
 * reports; a person's is that measure under the field of the report that names them.
 */
export interface IndicatorDeclaration {
  /** Name in the catalogue: `visits.completed`. */
  of: string
  /** Field of the report that holds the person; absent: not counted for a person. */
  person?: string
  /** Divisor of the measure: seconds shown as minutes. */
  per?: number
  /** Always as it is now: a closed month does not fix it. */
  current?: true
}

const visits = (key: string, person = 'doctor'): IndicatorDeclaration => ({ of: `visits.${key}`, person })
const calls = (key: string, more: Partial<IndicatorDeclaration> = {}): IndicatorDeclaration => ({
  of: `calls.${key}`,
  person: 'person',
  ...more,
})
const funnel = (key: string): IndicatorDeclaration => ({ of: `funnel.${key}`, person: 'operator' })
const back = (key: string): IndicatorDeclaration => ({ of: `return.${key}`, person: 'doctor', current: true })
const nps = (key: string): IndicatorDeclaration => ({ of: `nps.${key}`, person: 'doctor' })
const load = (key: string): IndicatorDeclaration => ({ of: `load.${key}`, person: 'doctor' })
const money = (key: string): IndicatorDeclaration => ({ of: `revenue.${key}`, person: 'doctor' })

export const indicators = {
  обращения: funnel('target'),
  записанные: funnel('booked'),
  первичные: funnel('first'),
  с_записью: funnel('firstBooked'),
  пришедшие: funnel('come'),
  оплатившие: funnel('paid'),
  записи: visits('due'),
  визиты: visits('completed'),
  оплаченные: visits('paid'),
  неявки: visits('noShow'),
  первые_визиты: { of: 'return.newcomers', person: 'doctor' },
  вернулись: back('back90'),
  вернуться_могли: back('due90'),
  входящие: calls('incoming'),
  пропущенные: calls('clean'),
  пропущенные_все: calls('missed'),
  перезвонили: calls('recalled'),
  перезвонили_15: calls('soon'),
  перезвон_мин: calls('recallTime', { per: 60 }),
  ответили_20: calls('quick'),
  ответили: calls('answered'),
  считаемые_20: calls('measured'),
  ожидание_с: calls('asa'),
  разговор_с: calls('talkInMean'),
  обработка_с: calls('wrapInMean'),
  обработка_звонков_с: calls('aht'),
  обработка_входящих_с: calls('ahtIn'),
  минуты_записи: load('taken'),
  минуты_смен: load('shift'),
  выручка: money('revenue'),
  начислено: money('charged'),
  оплачено: money('paid'),
  закрыто: money('settled'),
  оплаченные_чеки: money('visits'),
  оплачено_когортой: back('lifetime'),
  оценки: nps('answers'),
  сторонники: nps('promoters'),
  критики: nps('detractors'),
  реклама: { of: 'revenue-by-customer-sources.cost' },
  записал: visits('made', 'author'),
  записал_пришли: visits('madeCome', 'author'),
} as const satisfies Readonly<Record<string, IndicatorDeclaration>>
export type Indicator = keyof typeof indicators

/** Operands of former formulas; each is a formula of the others. */
export const formerIndicators: Readonly<Record<string, string>> = {
  брошенные_20: 'считаемые_20 - ответили',
}
