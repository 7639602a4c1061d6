import { KpiDefinition, KpiPlan } from './kpi.ts'

/** Entities of this area. */
export const entities = [KpiDefinition, KpiPlan] as const
