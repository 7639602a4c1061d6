import { monthOf } from '@ordinator/model/areas/expenses/states'
import { KpiDefinition, KpiPlan } from '@ordinator/model/areas/kpi/kpi'
import { ValidationError } from '#platform/errors.ts'
import type { Area } from '#records/area.ts'
import { records } from '#records/define.ts'
import { startFixing } from './counts.ts'
import { demo } from './demo.ts'
import { analysis, mine, people } from './scores.ts'

export { fixMonths } from './counts.ts'
export { scoresOf } from './scores.ts'

const plans = records(KpiPlan, {
  hooks: {
    prepare(value, before) {
      if (value.month) value.month = monthOf(value.month)
      const { idUser, post, green, red } = { ...before, ...value }
      if (idUser && post?.trim())
        throw new ValidationError([{ field: 'post', message: 'План либо сотрудника, либо должности' }])
      if ((red ?? 0) > (green ?? 0))
        throw new ValidationError([{ field: 'red', message: 'Красный начинается ниже зелёного' }])
    },
  },
})

/** Performance figures against plans, counted from events. */
export const kpi: Area = {
  name: 'kpi',
  title: 'KPI',
  records: [records(KpiDefinition), plans],
  operations: [analysis, people, mine],
  demo,
  start: startFixing,
}
