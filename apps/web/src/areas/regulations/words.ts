/** Plural forms. */
export const stepForms = ['шаг', 'шага', 'шагов'] as const
