/** Treatment plans with their stages. */

import { PlanItem, PlanStage, TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { MAX_ITEMS, MAX_STAGES } from '@ordinator/model/areas/plans/rules'
import sql from 'sql-template-tag'
import { type Cells, type ImporterColumn, rowReader } from '#areas/imports/index.ts'
import type { FieldError } from '#platform/errors.ts'
import { signNames } from '../persons.ts'
import { openRefs, PATIENT, type Refs } from '../refs.ts'
import { defineTable, keyColumn, type Sum, type UnknownName, type Work, type Written } from '../table.ts'
import { doctorColumn, patientColumns, serviceColumn, unknownError } from './simple.ts'
import { PAST } from './visitColumns.ts'

const planColumns: readonly ImporterColumn[] = [
  keyColumn(['901', '901'], ['код плана', 'id плана', 'номер плана']),
  ...patientColumns,
  {
    name: 'План',
    required: true,
    also: ['название плана', 'план лечения', 'название'],
    examples: ['Лечение кариеса', 'Лечение кариеса'],
  },
  { ...doctorColumn, required: true },
  { name: 'Этап', also: ['стадия', 'название этапа'], examples: ['Терапия', 'Ортопедия'] },
  { ...serviceColumn, required: true },
  { name: 'Количество', also: ['кол-во'], examples: ['1', '2'] },
  { name: 'Цена', also: ['стоимость', 'сумма'], examples: ['4500', '12 000,00'] },
  { name: 'Зуб, зона', also: ['зуб', 'зона'], examples: ['3.6', ''] },
  { name: 'Диагноз', examples: ['', ''] },
]

interface PlanValues {
  idCustomer: number
  idDoctor: number
  name: string
  diagnosis: string | null
  stages: { name: string; zone: string | null; items: { idService: number; qty: number; price: number | null }[] }[]
}

export const plans = defineTable<PlanValues>({
  key: 'plans',
  columns: planColumns,
  path: TreatmentPlan.path,
  natural: [PATIENT, ...signNames, 'План'],
  grouped: true,
  compare: 'whole',
  portion: 1_000,
  async open(context, groups) {
    const refs = await openRefs(context, groups, PATIENT)
    const { records, move } = context
    const system = records.asSystem

    async function make(works: readonly Work<PlanValues>[]): Promise<Written[]> {
      const made = await system.createMany(
        TreatmentPlan,
        works.map(({ values: { stages: _, ...plan } }) => ({ ...plan, idFilial: move.idFilial })),
        PAST,
      )
      await parts(works.map(({ values }, at) => ({ id: (made[at] as { id: number }).id, stages: values.stages })))
      return made.map(({ id }) => ({ id, made: [{ path: TreatmentPlan.path, id }] }))
    }

    async function parts(all: readonly { id: number; stages: PlanValues['stages'] }[]): Promise<void> {
      const stages = all.flatMap(({ id, stages: own }) =>
        own.map((stage, at) => ({ idPlan: id, order: at + 1, stage })),
      )
      const rows = await system.createMany(
        PlanStage,
        stages.map(({ idPlan, order, stage: { name, zone } }) => ({ idPlan, order, name, zone })),
        PAST,
      )
      await system.createMany(
        PlanItem,
        stages.flatMap(({ stage }, at) =>
          stage.items.map((item, n) => ({ ...item, idStage: (rows[at] as { id: number }).id, order: n + 1 })),
        ),
        PAST,
      )
    }

    return {
      check({ rows }) {
        const cells = rows[0]?.cells ?? {}
        const { errors, text, refuse } = rowReader(planColumns, cells)
        const unknown: UnknownName[] = []
        const idCustomer = refs.customer(cells, PATIENT, errors, unknown)
        const idDoctor = refs.doctor(text('Врач'), unknown)
        if (idDoctor == null) errors.push(unknownError('Врач', text('Врач'), idDoctor))
        if (!text('План')) refuse('План', 'Нужно название плана')
        const { stages, notes, kopecks, isUnread } = stagesOf(rows, refs, unknown, errors)
        if (stages.length > MAX_STAGES || stages.some(({ items }) => items.length > MAX_ITEMS))
          refuse('План', `В плане не больше ${MAX_STAGES} этапов, в этапе — ${MAX_ITEMS} услуг`)
        const who = refs.who(cells)
        const sums: Sum[] =
          isUnread || kopecks
            ? [{ kind: 'plan', who, kopecks: isUnread ? 0 : kopecks, ...(isUnread && { unread: true }) }]
            : []
        if (errors.length || idCustomer === undefined || idDoctor == null) return { errors, notes, unknown, sums }
        const values = {
          idCustomer,
          idDoctor,
          name: text('План').slice(0, 255),
          diagnosis: text('Диагноз').slice(0, 500) || null,
          stages,
        }
        const body = {
          who,
          name: values.name,
          rows: rows.map(({ cells: own }) => planColumns.map(({ name }) => own[name] ?? '').join('|')),
        }
        return { values, errors, notes, unknown, body, sums }
      },
      create: make,
      async change(works) {
        for (const { values, group } of works) {
          const id = group.known?.id as number
          const { stages, idCustomer: _, ...plan } = values
          await system.update(TreatmentPlan, id, plan)
          await system.deleteWhere(PlanStage, ({ row }) => sql`${row}."idPlan" = ${id}`, {
            pastHooks: 'The plan is written anew',
          })
          await parts([{ id, stages }])
        }
        return works.map(({ group }) => ({ ...(group.known && { id: group.known.id }), made: [] }))
      },
    }
  },
})

/** Stages with the services of their rows, and what they cost together. @param errors gets what is wrong in a row */
function stagesOf(rows: readonly { cells: Cells }[], refs: Refs, unknown: UnknownName[], errors: FieldError[]) {
  const stages: PlanValues['stages'] = []
  const notes: FieldError[] = []
  let kopecks = 0
  let isUnread = false
  for (const { cells: own } of rows) {
    const line = rowReader(planColumns, own)
    const price = line.money('Цена')
    // Several services of one cell have one price and number: they are kept with the first.
    const names = refs.services(line.text('Услуга'))
    const idServices = (names.length > 0 ? names : ['']).map((one) => {
      const id = refs.service(one, unknown)
      if (id == null) errors.push(unknownError('Услуга', one, id))
      return id
    })
    if (names.length > 1 && price !== undefined)
      notes.push({ field: 'Услуга', message: 'В ячейке несколько услуг: цена стоит у первой, у остальных ноль' })
    const qty = line.text('Количество') ? Number(line.text('Количество')) : 1
    if (!(Number.isInteger(qty) && qty > 0 && qty <= 100)) line.refuse('Количество', 'Нужно целое число от 1 до 100')
    if (line.text('Цена') && price === undefined) isUnread = true
    errors.push(...line.errors)
    const name = line.text('Этап') || 'Лечение'
    const zone = line.text('Зуб, зона').slice(0, 64) || null
    const stage = stages.find((one) => one.name === name) ?? { name: name.slice(0, 255), zone, items: [] }
    if (!stages.includes(stage)) stages.push(stage)
    for (const [at, idService] of idServices.entries())
      if (idService != null)
        stage.items.push(
          at === 0
            ? { idService, qty, price: price ?? null }
            : { idService, qty: 1, price: price === undefined ? null : 0 },
        )
    kopecks += Math.round((price ?? 0) * 100) * qty
  }
  return { stages, notes, kopecks, isUnread }
}
