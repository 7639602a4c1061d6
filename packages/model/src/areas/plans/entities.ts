import { PlanItem, PlanStage, TreatmentPlan } from './plan.ts'

/** Entities of this area. */
export const entities = [TreatmentPlan, PlanStage, PlanItem] as const
