/** Forms of counted words. */
export const stepForms = ['шаг', 'шага', 'шагов'] as const
