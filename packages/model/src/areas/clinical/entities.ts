import { ClinicalAnswer, ClinicalChoice, ClinicalCriterion, ClinicalRecommendation } from './clinical.ts'

/** Entities of this area. */
export const entities = [ClinicalRecommendation, ClinicalCriterion, ClinicalChoice, ClinicalAnswer] as const
