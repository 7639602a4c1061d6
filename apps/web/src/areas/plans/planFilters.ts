import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { planStatuses } from '@ordinator/model/areas/plans/rules'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'

export const planFilters = filters(TreatmentPlan, {
  status: choice('status', { options: planStatuses, any: 'Любое состояние' }),
  doctor: refs('idDoctor', { label: 'Врач', any: 'Любой врач' }),
  made: period('dateCreate', { label: 'Составлен' }),
  overdue: flag('Давно без визита', { overdue: true }, { panel: 'Только те, где давно не было визита', toggle: true }),
})
