/** The forms of the word beside a number (spec §9). */
export const memberForms = ['участник', 'участника', 'участников'] as const
