/** Plural forms (spec §9). */
export const memberForms = ['участник', 'участника', 'участников'] as const
